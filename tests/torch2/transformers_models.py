"""Writes architectures of transformers with tiny configurations and random weights, with a dynamic batch and length.

    scripts/torch2 run sid python3 /cameo/tests/torch2/transformers_models.py FOLDER [--only NAME...] | --list
"""
import functools

import torch
import transformers
from torch.export import Dim
from transformers import DynamicCache

from programs import Model, main_of_models

VOCABULARY = 60
TINY = dict(vocab_size=VOCABULARY, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, max_position_embeddings=64,
            pad_token_id=0, bos_token_id=1, eos_token_id=2)
WIDE = dict(TINY, num_key_value_heads=1, head_dim=8)


class Encoder(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids=input_ids, attention_mask=attention_mask, return_dict=True)[0]


class Decoder(torch.nn.Module):
    """Without a cache."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids=input_ids, attention_mask=attention_mask, use_cache=False, return_dict=True).logits


class CachedDecoder(torch.nn.Module):
    """Takes the keys and values of earlier tokens, and returns them with those of the new tokens."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, keys, values):
        cache = DynamicCache()
        for layer, (key, value) in enumerate(zip(keys, values)):
            cache.update(key, value, layer)
        logits = self.model(input_ids=input_ids, attention_mask=attention_mask, past_key_values=cache, use_cache=True).logits
        return logits, [layer.keys for layer in cache.layers], [layer.values for layer in cache.layers]


class EncoderDecoder(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, decoder_input_ids):
        return self.model(input_ids=input_ids, attention_mask=attention_mask, decoder_input_ids=decoder_input_ids, use_cache=False).logits


class Vision(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixel_values):
        return self.model(pixel_values=pixel_values, return_dict=True)[0]


class Speech(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_values):
        return self.model(input_values, return_dict=True)[0]


class SpeechToText(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_features, decoder_input_ids):
        return self.model(input_features, decoder_input_ids=decoder_input_ids, use_cache=False).logits


class TextAndImage(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, pixel_values):
        out = self.model(input_ids=input_ids, attention_mask=attention_mask, pixel_values=pixel_values)
        return out.logits_per_text, out.logits_per_image


def tokens(batch, length):
    return torch.randint(3, VOCABULARY, (batch, length))


def mask(batch, length):
    """The last row has two tokens of padding."""
    made = torch.ones(batch, length, dtype=torch.int64)
    made[-1, -2:] = 0
    return made


def dims():
    return Dim("batch", min=2, max=64), Dim("length", min=2, max=64)


def alternatives(make_dynamic):
    """With named dimensions, and with those that torch.export finds to be dynamic."""
    return [make_dynamic(*dims()), make_dynamic(Dim.AUTO, Dim.AUTO)]


def text(wrapper, model):
    make = lambda batch, length: (tokens(batch, length), mask(batch, length))
    return Model(wrapper(model), make(2, 8), make(3, 11), alternatives(lambda b, n: ({0: b, 1: n}, {0: b, 1: n})))


def cached(model):
    config = model.config.get_text_config()
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads

    def make(batch, past, length):
        state = lambda: [torch.randn(batch, heads, past, width) for _ in range(config.num_hidden_layers)]
        return tokens(batch, length), torch.ones(batch, past + length, dtype=torch.int64), state(), state()

    def dynamic(b, n):
        past = Dim.AUTO if n is Dim.AUTO else Dim("past", min=2, max=64)
        state = [{0: b, 2: past}] * config.num_hidden_layers
        return {0: b, 1: n}, {0: b, 1: Dim.AUTO if n is Dim.AUTO else Dim("total", min=4, max=128)}, state, state

    return Model(CachedDecoder(model), make(2, 5, 3), make(3, 7, 4), [dynamic(Dim.AUTO, Dim.AUTO)])


def encoder_decoder(model):
    make = lambda batch, length, other: (tokens(batch, length), mask(batch, length), tokens(batch, other))

    def dynamic(b, n):
        other = Dim.AUTO if n is Dim.AUTO else Dim("target", min=2, max=64)
        return {0: b, 1: n}, {0: b, 1: n}, {0: b, 1: other}
    return Model(EncoderDecoder(model), make(2, 8, 5), make(3, 11, 6), alternatives(dynamic))


def vision(size, model):
    make = lambda batch: (torch.randn(batch, *size),)
    return Model(Vision(model), make(2), make(3), alternatives(lambda b, n: ({0: b},)))


def speech(length, other, model):
    make = lambda batch, n: (torch.randn(batch, n),)
    return Model(Speech(model), make(2, length), make(3, other), alternatives(lambda b, n: ({0: b, 1: n if n is Dim.AUTO else Dim("samples", min=400, max=9000)},)))


def features(shape, other, model):
    make = lambda batch, shape: (torch.randn(batch, *shape),)
    return Model(Speech(model), make(2, shape), make(3, other), alternatives(lambda b, n: ({0: b},)))


def speech_to_text(shape, model):
    make = lambda batch, length: (torch.randn(batch, *shape), tokens(batch, length))
    return Model(SpeechToText(model), make(2, 4), make(3, 6), alternatives(lambda b, n: ({0: b}, {0: b, 1: n})))


def text_and_image(size, model):
    make = lambda batch, length: (tokens(batch, length), mask(batch, length), torch.randn(batch, *size))
    return Model(TextAndImage(model), make(2, 8), make(3, 10), alternatives(lambda b, n: ({0: b, 1: n}, {0: b, 1: n}, {0: b})))


def built(kind, name, config, model="Model", settings=TINY, **more):
    """Makes transformers.<name><model> of a configuration."""
    torch.manual_seed(0)
    made = getattr(transformers, f"{config}Config")(**{**settings, **more})
    return kind(getattr(transformers, f"{name}{model}")(made).eval())


def rows(kind, suffix, table):
    """{name in the list: function}; a row is name of the class: (settings, more settings, model suffix)."""
    made = {}
    for name, (settings, more, *model) in table.items():
        config = more.pop("config", name)
        made[f"{name}{suffix}"] = functools.partial(built, kind, name, config, *(model or ["Model"]), settings=settings, **more)
    return made


ENCODERS = {
    "Bert": (TINY, {}), "Roberta": (TINY, {}), "XLMRoberta": (TINY, {}), "Camembert": (TINY, {}), "Albert": (TINY, dict(embedding_size=8)),
    "DistilBert": (dict(vocab_size=VOCABULARY, dim=16, n_layers=2, n_heads=2, hidden_dim=24, max_position_embeddings=64), {}),
    "Electra": (TINY, dict(embedding_size=8)), "MPNet": (TINY, {}), "Deberta": (TINY, dict(relative_attention=True, pos_att_type=["c2p", "p2c"])),
    "DebertaV2": (TINY, dict(relative_attention=True, pos_att_type=["c2p", "p2c"])), "Ernie": (TINY, {}), "ConvBert": (TINY, dict(embedding_size=16)),
    "FNet": (TINY, {}), "Nystromformer": (TINY, dict(num_landmarks=2, segment_means_seq_len=8)), "RoFormer": (TINY, dict(embedding_size=16)),
    "MobileBert": (TINY, dict(embedding_size=16, intra_bottleneck_size=8, true_hidden_size=8)),
    "SqueezeBert": (TINY, dict(embedding_size=16, q_groups=1, k_groups=1, v_groups=1, post_attention_groups=1, intermediate_groups=1, output_groups=1)),
    "LayoutLM": (TINY, {}), "BigBird": (TINY, dict(attention_type="original_full")), "RemBert": (TINY, dict(input_embedding_size=8, output_embedding_size=8)),
    "IBert": (TINY, {}), "MegatronBert": (TINY, {}), "Data2VecText": (TINY, {}), "ModernBert": (TINY, dict(global_attn_every_n_layers=2, local_attention=8)),
    "EuroBert": (WIDE, {}), "Esm": (TINY, dict(mask_token_id=4, position_embedding_type="rotary")), "Splinter": (TINY, {}), "XLNet": (dict(vocab_size=VOCABULARY, d_model=16, n_layer=2, n_head=2, d_inner=24), {}),
    "RobertaPreLayerNorm": (TINY, {}), "Xmod": (TINY, dict(languages=["en"], default_language="en")), "Funnel": (dict(vocab_size=VOCABULARY, block_sizes=[1, 1], num_decoder_layers=1, d_model=16, n_head=2, d_head=8, d_inner=24), {}),
    "Longformer": (TINY, dict(attention_window=4)),
}
GPT = dict(vocab_size=VOCABULARY, n_embd=16, n_layer=2, n_head=2, n_positions=64, n_inner=24, bos_token_id=1, eos_token_id=2)
MOE = dict(WIDE, num_local_experts=4, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, shared_expert_intermediate_size=16)
CAUSAL = "ForCausalLM"
DECODERS = {
    "GPT2": (GPT, {}, "LMHeadModel"), "GPTNeo": (dict(TINY, num_layers=2, num_heads=2, attention_types=[[["global", "local"], 1]], window_size=8), {}, CAUSAL),
    "GPTNeoX": (TINY, {}, CAUSAL), "GPTJ": (dict(GPT, rotary_dim=4), {}, CAUSAL), "CodeGen": (dict(GPT, rotary_dim=4, n_head=4), {}, CAUSAL),
    "OPT": (TINY, dict(ffn_dim=24, word_embed_proj_dim=16), CAUSAL), "Bloom": (dict(vocab_size=VOCABULARY, hidden_size=16, n_layer=2, n_head=2), {}, CAUSAL),
    "Llama": (WIDE, {}, CAUSAL), "Mistral": (WIDE, dict(sliding_window=6), CAUSAL), "Qwen2": (WIDE, {}, CAUSAL), "Qwen3": (WIDE, {}, CAUSAL),
    "Gemma": (WIDE, {}, CAUSAL), "Gemma2": (WIDE, dict(query_pre_attn_scalar=8, sliding_window=6), CAUSAL), "Gemma3": (WIDE, dict(config="Gemma3Text", query_pre_attn_scalar=8, sliding_window=6), CAUSAL),
    "Phi": (TINY, {}, CAUSAL), "Phi3": (WIDE, {}, CAUSAL), "Falcon": (dict(TINY, multi_query=True), {}, CAUSAL), "StableLm": (WIDE, {}, CAUSAL),
    "Starcoder2": (WIDE, {}, CAUSAL), "Olmo": (WIDE, {}, CAUSAL), "Olmo2": (WIDE, {}, CAUSAL), "Cohere": (WIDE, {}, CAUSAL), "Granite": (WIDE, {}, CAUSAL),
    "SmolLM3": (WIDE, {}, CAUSAL), "Glm": (WIDE, {}, CAUSAL), "Helium": (WIDE, {}, CAUSAL), "Persimmon": (TINY, {}, CAUSAL), "Nemotron": (WIDE, {}, CAUSAL),
    "BioGpt": (TINY, {}, CAUSAL), "XGLM": (dict(vocab_size=VOCABULARY, d_model=16, num_layers=2, attention_heads=2, ffn_dim=24, max_position_embeddings=64), {}, CAUSAL),
    "Mpt": (dict(vocab_size=VOCABULARY, d_model=16, n_layers=2, n_heads=2, max_seq_len=64), {}, CAUSAL), "CTRL": (dict(vocab_size=VOCABULARY, n_embd=16, n_layer=2, n_head=2, dff=24, n_positions=64), {}, "LMHeadModel"),
    "GPTBigCode": (GPT, {}, CAUSAL), "Mixtral": (MOE, {}, CAUSAL), "Qwen2Moe": (MOE, {}, CAUSAL), "Qwen3Moe": (MOE, {}, CAUSAL), "GptOss": (MOE, {}, CAUSAL),
    "Mamba": (dict(vocab_size=VOCABULARY, hidden_size=16, num_hidden_layers=2, state_size=4), {}, CAUSAL), "Cohere2": (WIDE, dict(sliding_window=6), CAUSAL),
    "Arcee": (WIDE, {}, CAUSAL), "Olmo3": (WIDE, dict(sliding_window=6), CAUSAL), "Exaone4": (WIDE, dict(sliding_window=6), CAUSAL),
}
CACHED = ["GPT2", "GPTNeoX", "OPT", "Llama", "Mistral", "Qwen2", "Qwen3", "Gemma", "Gemma2", "Phi", "Phi3", "Falcon", "StableLm", "Olmo2", "Mixtral"]
T5 = dict(vocab_size=VOCABULARY, d_model=16, d_kv=8, d_ff=24, num_layers=2, num_decoder_layers=2, num_heads=2, pad_token_id=0, decoder_start_token_id=0)
BART = dict(vocab_size=VOCABULARY, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=24,
            decoder_ffn_dim=24, max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2)
GENERATION = "ForConditionalGeneration"
ENCODER_DECODERS = {
    "T5": (T5, {}, GENERATION), "MT5": (T5, {}, GENERATION), "UMT5": (T5, {}, GENERATION), "LongT5": (T5, dict(local_radius=3), GENERATION),
    "SwitchTransformers": (dict(T5, num_experts=4, num_sparse_encoder_layers=1, num_sparse_decoder_layers=1), {}, GENERATION),
    "Bart": (BART, {}, GENERATION), "MBart": (BART, {}, GENERATION), "Pegasus": (BART, {}, GENERATION), "Blenderbot": (BART, {}, GENERATION), "Marian": (BART, {}, "MTModel"),
    "M2M100": (BART, {}, GENERATION), "PLBart": (BART, {}, GENERATION), "LED": (dict(BART, attention_window=4, max_encoder_position_embeddings=64, max_decoder_position_embeddings=64), {}, GENERATION),
    "ProphetNet": (dict(vocab_size=VOCABULARY, hidden_size=16, num_encoder_layers=2, num_decoder_layers=2, num_encoder_attention_heads=2, num_decoder_attention_heads=2,
                        encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=64, pad_token_id=0, ngram=2), {}, GENERATION),
}
PATCHES = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, image_size=16, patch_size=4)
STAGES = dict(image_size=32, hidden_sizes=[8, 16], depths=[1, 1], num_heads=[1, 2])
VISION = {
    "ViT": (PATCHES, {}), "DeiT": (PATCHES, {}), "Beit": (PATCHES, {}), "Dinov2": (PATCHES, dict(mlp_ratio=2)), "Swin": (dict(image_size=32, patch_size=4, embed_dim=8, depths=[1, 1], num_heads=[2, 2], window_size=4), {}),
    "Swinv2": (dict(image_size=32, patch_size=4, embed_dim=8, depths=[1, 1], num_heads=[2, 2], window_size=4), {}), "ConvNext": (dict(hidden_sizes=[8, 16], depths=[1, 1], num_stages=2), {}),
    "ConvNextV2": (dict(hidden_sizes=[8, 16], depths=[1, 1], num_stages=2), {}), "ResNet": (dict(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1]), {}),
    "RegNet": (dict(embedding_size=8, hidden_sizes=[8, 16, 16, 16], depths=[1, 1, 1, 1], groups_width=4), {}),
    "Segformer": (dict(num_encoder_blocks=2, depths=[1, 1], sr_ratios=[2, 1], hidden_sizes=[8, 16], patch_sizes=[3, 3], strides=[2, 2], num_attention_heads=[1, 2], mlp_ratios=[2, 2]), {}),
    "MobileViT": (dict(image_size=32, patch_size=2, hidden_sizes=[16, 16, 16], neck_hidden_sizes=[8, 8, 8, 8, 8, 8, 16], num_attention_heads=2), {}),
    "MobileNetV2": (dict(image_size=32, depth_multiplier=0.35), {}), "MobileNetV1": (dict(image_size=32, depth_multiplier=0.25), {}),
    "PoolFormer": (dict(hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1]), {}), "Pvt": (dict(image_size=32, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], num_attention_heads=[1, 1, 2, 2], mlp_ratios=[2, 2, 2, 2]), {}),
    "PvtV2": (dict(image_size=32, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], num_attention_heads=[1, 1, 2, 2], mlp_ratios=[2, 2, 2, 2]), {}), "Levit": (dict(image_size=64, hidden_sizes=[16, 16, 16], num_attention_heads=[2, 2, 2], depths=[1, 1, 1], key_dim=[8, 8, 8]), {}),
    "Cvt": (dict(embed_dim=[8, 16, 16], num_heads=[1, 2, 2], depth=[1, 1, 1]), {}), "Yolos": (dict(PATCHES, image_size=[16, 16], num_detection_tokens=4), {}), "IJepa": (PATCHES, {}),
    "FocalNet": (dict(image_size=32, embed_dim=8, depths=[1, 1], focal_levels=[1, 1], focal_windows=[3, 3]), {}), "Bit": (dict(embedding_size=8, hidden_sizes=[32, 32], depths=[1, 1]), {}),
    "EfficientNet": (dict(image_size=32, width_coefficient=0.25, depth_coefficient=0.2, hidden_dim=16), {}), "Hiera": (dict(image_size=[32, 32], patch_size=[3, 3], patch_stride=[4, 4], patch_padding=[1, 1], embed_dim=8, depths=[1, 1], num_heads=[1, 2], num_query_pool=1, masked_unit_size=[4, 4], query_stride=[2, 2]), {}),
    "ViTMSN": (PATCHES, {}), "SiglipVision": (PATCHES, {}), "CLIPVision": (PATCHES, {}), "Data2VecVision": (PATCHES, {}), "SwiftFormer": (dict(image_size=32, depths=[1, 1, 1, 1], embed_dims=[8, 8, 16, 16]), {}),
}
VIDEO = {"VideoMAE": (dict(PATCHES, num_frames=2), {}), "Timesformer": (dict(PATCHES, num_frames=2), {}), "Vivit": (dict(PATCHES, num_frames=2, tubelet_size=[2, 4, 4]), {})}
WAVES = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, conv_dim=[8, 8], conv_stride=[5, 2], conv_kernel=[10, 3], num_feat_extract_layers=2,
             num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2, feat_extract_norm="group", vocab_size=VOCABULARY)
SPEECH = {
    "Wav2Vec2": (WAVES, {}), "Hubert": (WAVES, {}), "WavLM": (WAVES, {}), "UniSpeech": (WAVES, {}), "UniSpeechSat": (WAVES, {}), "SEW": (WAVES, dict(squeeze_factor=2)), "Data2VecAudio": (WAVES, dict(conv_pos_kernel_size=3)),
    "Wav2Vec2Conformer": (WAVES, dict(conv_depthwise_kernel_size=3)),
}
WHISPER = dict(BART, num_mel_bins=8, max_source_positions=16, max_target_positions=32)
JOINT = dict(text_config=dict(WIDE, projection_dim=8), vision_config=dict(PATCHES, projection_dim=8), projection_dim=8)


def models():
    text_decoders = {name: (settings, dict(more), *model) for name, (settings, more, *model) in DECODERS.items()}
    with_cache = {name: (settings, dict(more), *model) for name, (settings, more, *model) in DECODERS.items() if name in CACHED}
    return {
        **rows(functools.partial(text, Encoder), "", ENCODERS),
        **rows(functools.partial(text, Decoder), "", text_decoders),
        **rows(cached, "-cached", with_cache),
        **rows(encoder_decoder, "", ENCODER_DECODERS),
        **{name: functools.partial(built, functools.partial(vision, image_shape(settings)), name, name, settings=settings, **more) for name, (settings, more) in VISION.items()},
        **{name: functools.partial(built, functools.partial(vision, (2, 3, 16, 16)), name, name, settings=settings, **more) for name, (settings, more) in VIDEO.items()},
        **rows(functools.partial(speech, 800, 1100), "", SPEECH),
        "Whisper": functools.partial(built, functools.partial(speech_to_text, (8, 32)), "Whisper", "Whisper", GENERATION, settings=WHISPER),
        "Speech2Text": functools.partial(built, functools.partial(speech_to_text, (32, 8)), "Speech2Text", "Speech2Text", GENERATION,
                                         settings=dict(BART, input_feat_per_channel=8, max_source_positions=64, max_target_positions=32, conv_channels=16)),
        "AST": functools.partial(built, functools.partial(features, (32, 16), (32, 16)), "AST", "AST", settings=dict(PATCHES, num_mel_bins=16, max_length=32, frequency_stride=4, time_stride=4)),
        "CLIP": functools.partial(built, functools.partial(text_and_image, (3, 16, 16)), "CLIP", "CLIP", settings=JOINT),
        "Siglip": functools.partial(built, functools.partial(text_and_image, (3, 16, 16)), "Siglip", "Siglip", settings=JOINT),
    }


def image_shape(settings):
    size = settings.get("image_size", 32)
    return (3, size, size) if isinstance(size, int) else (3, *size)


if __name__ == "__main__":
    main_of_models(models(), seconds=300)
