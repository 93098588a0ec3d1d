"""Programs that PyTorch 1.13 itself cannot make, with what it says."""

_DETECTORS = (
    "fasterrcnn_mobilenet_v3_large_320_fpn",
    "fasterrcnn_mobilenet_v3_large_fpn",
    "fasterrcnn_resnet50_fpn",
    "fasterrcnn_resnet50_fpn_v2",
    "fcos_resnet50_fpn",
    "keypointrcnn_resnet50_fpn",
    "maskrcnn_resnet50_fpn",
    "maskrcnn_resnet50_fpn_v2",
    "retinanet_resnet50_fpn",
    "retinanet_resnet50_fpn_v2",
    "ssd300_vgg16",
    "ssdlite320_mobilenet_v3_large",
)
_LIST_OF_DICTIONARIES = "can be output from traced functions"

REFUSED = {f"{name} float traced as it is": _LIST_OF_DICTIONARIES for name in _DETECTORS}
