import torch
from sizes import Sizes

suite = Sizes()
close = dict(rtol=1e-4, atol=1e-4)
signal, batch, window = torch.sin(torch.arange(100.0) ** 1.3), torch.sin(torch.arange(200.0) ** 1.3).reshape(2, 100), torch.hann_window(16)
for name, x, axes in (("one", signal, [{0: "length"}]), ("batch", batch, [{0: "batch", 1: "length"}])):
    suite.call(f"stft-{name}", "torch.stft(x, 16, window=w, return_complex=False)", axes, close, by=(1, 9), x=x, w=window)
    suite.call(f"stft-plain-{name}", "torch.stft(x, 20, 7, center=False, normalized=True, onesided=False, return_complex=False)", axes, close, x=x)
    suite.call(f"stft-short-window-{name}", "torch.stft(x, 20, win_length=13, pad_mode='constant', return_complex=False)", axes, close, x=x)
suite.call("stft-window-padded", "torch.stft(x, 21, 5, 16, w, return_complex=False)", [{0: "length"}], close, x=signal, w=window)
suite.call("stft-f64", "torch.stft(x, 16, return_complex=False)", x=signal.double())
suite.call("stft-operator", "[torch.ops.aten.stft(x, 16, None, None, None, True, 'reflect', False, None, False), "
           "torch.ops.aten.stft(x, 16, 4, 16, None, False, 'reflect', False, None, False)]", [{0: "length"}], close, x=signal)
suite.fails("stft-complex", "torch.view_as_real(torch.stft(x, 16, return_complex=True))", "return_complex=False", x=signal)
suite.call("fftshift", "[torch.fft.fftshift(x), torch.fft.fftshift(x, dim=1), torch.fft.ifftshift(x), torch.fft.ifftshift(x, dim=[0])]",
           [{0: "n", 1: "m"}], x=torch.arange(20).reshape(4, 5))
x = torch.sin(torch.arange(60.0) ** 1.7).reshape(3, 4, 5)
for kind in ("irfft", "hfft"):
    op, plane, space, axes = f"torch.fft.{kind}", f"torch.fft.{kind}2", f"torch.fft.{kind}n", [{0: "a", 1: "b", 2: "c"}]
    suite.call(kind, f"[{op}(x), {op}(x, dim=0), {op}(x, 7), {op}(x, 6, 1, 'ortho'), {op}(x, norm='forward'), {op}(x, 12)]", axes, close, x=x)
    suite.call(f"{kind}2", f"[{plane}(x), {plane}(x, dim=(2, 0)), {plane}(x, (3, 6), norm='ortho'), {plane}(x, (5, 9))]", axes, close, x=x)
    suite.call(f"{kind}n", f"[{space}(x), {space}(x, dim=(1,)), {space}(x, (2, 6), (0, 2), 'forward'), {space}(x, (5, 9))]", axes, close, x=x)
    suite.call(f"{kind}-f64", f"{space}(x)", axes, dict(rtol=1e-10, atol=1e-10), x=x.double())
    suite.call(f"{kind}-integers", f"{op}(x)", options=close, x=torch.arange(12).reshape(3, 4))
suite.main()
