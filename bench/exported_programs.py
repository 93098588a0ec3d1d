"""usage: exported_programs.py NAME FILE.pt2 [ONNX]     runs in a root with PyTorch 2.14, see scripts/torch2

Exports a model with made-up weights by torch.export and saves it. With ONNX, torch.onnx.export(dynamo=True) exports the
program too. Packages that the root lacks (onnxscript, onnx_ir) may lie in /scratch/packages. Without them
torch.onnx.export(dynamo=False) exports the module instead. Prints seconds and the peer's name as JSON.
"""
import json
import logging
import os
import sys
import time
import warnings

import torch
from torch.export import Dim

BATCH = Dim("batch", min=1, max=64)
PACKAGES = "/scratch/packages"


def torchvision_model(name):
    import torchvision

    return torchvision.models.get_model(name, weights=None), (torch.rand(2, 3, 224, 224),), ({0: BATCH},)


class Logits(torch.nn.Module):
    """A model of transformers as a function of tensors."""

    def __init__(self, model, result):
        super().__init__()
        self.model, self.result = model, result

    def forward(self, input_ids, attention_mask):
        return getattr(self.model(input_ids=input_ids, attention_mask=attention_mask), self.result)


def text_model(model, result):
    length = Dim("length", min=2, max=512)
    shapes = ({0: BATCH, 1: length}, {0: BATCH, 1: length})
    return Logits(model, result), (torch.randint(1000, (2, 9)), torch.ones(2, 9, dtype=torch.int64)), shapes


def bert():
    from transformers import BertConfig, BertModel

    return text_model(BertModel(BertConfig(), add_pooling_layer=False), "last_hidden_state")


def llama():
    """268 million parameters, 1.07 GB."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(vocab_size=32000, hidden_size=1024, intermediate_size=4096, num_hidden_layers=12, num_attention_heads=16,
                         num_key_value_heads=16, use_cache=False)
    return text_model(LlamaForCausalLM(config), "logits")


def made(name):
    module, inputs, shapes = {"bert": bert, "llama": llama}.get(name, lambda: torchvision_model(name))()
    return module.eval(), inputs, shapes


def timed(work):
    began = time.perf_counter()
    with torch.no_grad():
        result = work()
    return result, time.perf_counter() - began


def has_onnxscript():
    if os.path.isdir(PACKAGES):
        sys.path.insert(0, PACKAGES)
    try:
        import onnxscript  # noqa: F401
    except ImportError:
        return False
    return True


def peer(module, inputs, program, onnx):
    if has_onnxscript():
        return "torch.onnx.export(dynamo=True)", timed(lambda: torch.onnx.export(program, (), onnx, dynamo=True, verbose=False))[1]
    return "torch.onnx.export(dynamo=False)", timed(lambda: torch.onnx.export(module, inputs, onnx, dynamo=False))[1]


def main(name, file, onnx=None):
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.manual_seed(0)
    module, inputs, shapes = made(name)
    program, exported = timed(lambda: torch.export.export(module, inputs, dynamic_shapes=shapes, strict=False))
    figures = {"torch": torch.__version__, "torch.export": exported, "save": timed(lambda: torch.export.save(program, file))[1]}
    if onnx:
        figures["peer"], figures["peer seconds"] = peer(module, inputs, program, onnx)
    with open(f"{file}.json", "w") as figures_file:
        json.dump(figures, figures_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
