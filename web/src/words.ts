// The words of the page in English and Chinese. A text in a call of t() is a key; the type checker finds missing ones.

const chinese = {
  "This browser is too old: it cannot inflate the data of the page.": "浏览器版本过旧，无法解压本页数据。",
  "The data of this page are damaged.": "本页数据已损坏。",
  "The data of this page have version {0}; this page reads version {1}.": "本页数据的版本为 {0}；本页只能读取版本 {1}。",
  "Modules": "模块", "Find": "查找", "Changes": "变更", "Findings": "检查结果", "Ranking": "排名", "Program": "程序", "Graph": "图",
  "Details": "详情", "Model": "模型", "Help": "帮助", "Close": "关闭", "Export": "导出", "Overlay": "叠加", "No overlay": "无叠加",
  "Find nodes, modules, values": "查找节点、模块、数值", "Dark colours": "深色", "Light colours": "浅色",
  "SVG of what is seen": "当前视图的 SVG", "SVG of the whole graph": "整个图的 SVG", "PNG of what is seen": "当前视图的 PNG",
  "PNG of the whole graph": "整个图的 PNG",
  "name": "名称", "params": "参数", "mult-adds": "乘加", "parameters": "参数", "multiply-adds": "乘加", "nodes": "节点", "type": "类型", "operator": "算子", "module": "模块",
  "node": "节点", "value": "值", "weight": "权重", "input": "输入", "output": "输出", "producer": "来源程序", "made by": "生成者", "file": "文件",
  "Inputs": "输入", "Outputs": "输出", "Attributes": "属性", "Weights": "权重", "Files": "文件", "Facts": "信息", "Lines": "代码行",
  "Numbers": "数值", "Readers": "读取者", "Comparison": "比较", "Documentation": "文档", "Commands": "命令", "Equal groups": "结构相同的组",
  "from": "来自", "documentation of the operator": "算子文档", "copy": "复制", "copied": "已复制",
  "elements": "元素", "bytes": "字节", "least": "最小", "largest": "最大", "mean": "均值", "deviation": "标准差", "zeros": "零值",
  "NaN or infinite": "NaN 或无穷", "place": "位置", "picture of the elements": "元素图", "histogram of the elements": "元素直方图",
  "not read, because the weights are large (--weights all reads them)": "权重较大，未读取（--weights all 可读取）",
  "no statistics for this type": "此类型没有统计信息", "its file is missing": "缺少其文件",
  "open": "展开", "close": "收起", "Open": "展开", "Show alone": "单独显示", "Show all": "显示全部", "Go to the node": "转到节点",
  "whole model": "整个模型", "not named": "未命名", "left out": "省略",
  "{0} nodes": "{0} 个节点", "{0} parameters": "{0} 个参数", "{0} results": "{0} 个结果", "{0} results; the first {1} are shown": "{0} 个结果；显示前 {1} 个",
  "nothing found": "未找到", "{0} groups opened": "已展开 {0} 个组", "{0} groups closed": "已收起 {0} 个组", "{0}, {1}": "{0}，{1}",
  "line {0} of {1}": "{1} 第 {0} 行", "line {0} became {1} nodes": "第 {0} 行生成 {1} 个节点", "line {0} left no node: {1}": "第 {0} 行没有节点：{1}",
  "line {0} left no node": "第 {0} 行没有节点",
  "The text of this file is not here; --source FOLDER finds it.": "没有此文件的文本；可用 --source FOLDER 查找。",
  "same": "相同", "added": "新增", "gone": "删除", "changed": "更改", "renamed": "改名", "by": "由",
  "no differences": "没有差异", "no value": "无数值", "limit": "限值", "sum of the group": "组内总和", "largest in the group": "组内最大",
  "error": "错误", "warning": "警告", "note": "说明",
  "Graph of the model": "模型图", "Tree of modules": "模块树", "Overview": "概览", "Path": "路径", "Language": "语言",
  "selected: {0}": "已选择：{0}", "inputs {0}, outputs {1}": "输入 {0}，输出 {1}", "nothing is selected": "未选择",
  "no next node": "没有下一个节点", "shown alone: {0}": "单独显示：{0}", "overlay: {0}": "叠加：{0}",
  "follow the edges; sideways, the neighbours of the rank": "沿边移动；左右为同层相邻节点",
  "open the group; with Shift, all groups of equal structure": "展开组；按 Shift 展开所有相同结构的组",
  "close the group around": "收起所在的组", "find": "查找", "show the whole graph": "显示整个图", "show the selection": "显示所选",
  "select the group around": "选择所在的组", "show the program, or hide it": "显示或隐藏程序", "show the details, or hide them": "显示或隐藏详情",
  "go to the tree of modules": "转到模块树", "go to the graph": "转到图", "next overlay": "下一个叠加", "next or previous node of the results": "结果中的下一个或上一个节点",
  "show a group alone, or all": "单独显示组，或显示全部", "open or close all groups": "展开或收起所有组", "larger, smaller, full size": "放大、缩小、原始大小",
  "move the view": "移动视图", "dark or light": "深色或浅色", "English or Chinese": "英文或中文", "this help": "本帮助", "select nothing": "取消选择",
  "wheel": "滚轮", "drag": "拖动", "double click": "双击", "zoom": "缩放",
  "This page is one file. It makes no request to anywhere.": "本页是单个文件，不发出任何请求。",
  "The page cannot be shown.": "无法显示本页。",
  "size of the left pane": "左侧面板大小", "size of the right pane": "右侧面板大小", "size of the program": "程序面板大小",
  "{0} of {1}": "{1} 中的 {0}", "module path": "模块路径", "share of the model": "占模型的比例", "rule": "规则",
} as const;

export type Word = keyof typeof chinese;
export type Language = "en" | "zh";

let language: Language = "en";

export function setLanguage(chosen: Language): void {
  language = chosen;
}

export function currentLanguage(): Language {
  return language;
}

// The text in the chosen language; {0}, {1} … stand for the arguments.
export function t(word: Word, ...values: (string | number)[]): string {
  const text: string = language === "zh" ? chinese[word] : word;
  return text.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));
}
