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
for name, x, axes in (("one", signal, [{0: "length"}]), ("batch", batch, [{0: "batch", 1: "length"}])):
    suite.call(f"stft-complex-{name}", "torch.stft(x, 20, window=w, win_length=16, return_complex=True).abs()", axes, close, by=(1, 9), x=x, w=window)
    suite.call(f"stft-of-complex-{name}", "(torch.stft(x, 16, 5, center=False, return_complex=True), torch.stft(x, 20, pad_mode='constant', return_complex=True))",
               axes, close, by=(1, 9), x=torch.complex(x, x.flip(-1)))
precise = dict(rtol=1e-5, atol=1e-5)
suite.call("stft-precise", "torch.stft(x, 50, 10, window=w, return_complex=True)", [{0: "length"}], precise, x=torch.randn(200), w=torch.hann_window(50))
spectrum = torch.stft(batch, 16, window=window, return_complex=True)
suite.call("istft", "(torch.istft(z, 16, window=w), torch.istft(z, 16, window=w, length=90), torch.istft(z, 16, window=w, length=130))",
           [{0: "batch", 2: "frames"}], precise, z=spectrum, w=window)
suite.call("istft-parts", "torch.istft(x, 16, window=w)", [{0: "batch", 2: "frames"}], precise, x=torch.view_as_real(spectrum), w=window)
suite.call("istft-one", "(torch.istft(z, 16, normalized=True), torch.istft(z, 16, 5, 14), torch.istft(z, 16, 6, center=False, onesided=True))",
           [{1: "frames"}], precise, z=spectrum[0])
suite.call("istft-full", "(torch.istft(z, 9, onesided=False), torch.istft(z, 9, 3, onesided=False, return_complex=True), torch.istft(z, 9))",
           [{0: "batch", 2: "frames"}], precise, z=spectrum)
suite.call("istft-f64", "torch.istft(z, 16, 3, window=w)", [{0: "batch", 2: "frames"}], dict(rtol=1e-10, atol=1e-10), z=spectrum.to(torch.complex128),
           w=window.double() + 0.1)
suite.call("round-trip", "torch.istft(torch.stft(x, 20, window=w, return_complex=True), 20, window=w, length=x.size(-1))", [{0: "batch", 1: "length"}],
           precise, x=batch, w=torch.hann_window(20))
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
z = torch.complex(x, x.flip(0) * 2)
precise = dict(rtol=1e-5, atol=1e-5)
for kind in ("fft", "ifft", "irfft", "hfft", "rfft", "ihfft"):
    op, plane, space, axes = f"torch.fft.{kind}", f"torch.fft.{kind}2", f"torch.fft.{kind}n", [{0: "a", 1: "b", 2: "c"}]
    given = {"complex": z} if kind not in ("rfft", "ihfft") else {}
    if kind not in ("irfft", "hfft"):
        given["real"] = x
    for sort, numbers in given.items():
        suite.call(f"{kind}-{sort}", f"[{op}(x), {op}(x, dim=0), {op}(x, 7), {op}(x, 4, 1, 'ortho'), {op}(x, norm='forward'), {op}(x, 12)]", axes,
                   precise, x=numbers)
        suite.call(f"{kind}2-{sort}", f"[{plane}(x), {plane}(x, dim=(2, 0)), {plane}(x, (3, 6), norm='ortho'), {plane}(x, (5, 9))]", axes, precise, x=numbers)
        suite.call(f"{kind}n-{sort}", f"[{space}(x), {space}(x, dim=(1,)), {space}(x, (2, 6), (0, 2), 'forward'), {space}(x, (5, 9))]", axes, precise, x=numbers)
        suite.call(f"{kind}-{sort}-f64", f"({space}(x), {op}(x, 7))", axes, dict(rtol=1e-10, atol=1e-10),
                   x=numbers.to(torch.complex128 if numbers.is_complex() else torch.float64))
suite.call("fft-integers", "(torch.fft.fft(x), torch.fft.rfft(x))", options=precise, x=torch.arange(12).reshape(3, 4))
suite.call("fft-long", "(torch.fft.fft(x), torch.fft.ifft(x), torch.fft.rfft(x), torch.fft.fft(x[0]))", [{1: "length"}], dict(rtol=1e-5, atol=1e-4), x=torch.randn(2, 1000))
suite.call("fftshift-complex", "[torch.fft.fftshift(x), torch.fft.ifftshift(x, dim=[0])]", axes, x=z)
suite.call("convolution", "torch.fft.irfft(torch.fft.rfft(x, n=x.size(-1) + 4) * torch.fft.rfft(w, n=x.size(-1) + 4), n=x.size(-1) + 4)", [{0: "a", 2: "c"}], precise,
           x=torch.randn(2, 3, 8), w=torch.randn(5))
for name in ("_fft_r2c(x, [1, 2], 0, True)", "_fft_r2c(x, [1], 1, False)", "_fft_c2c(z, [0, 2], 2, False)", "_fft_c2c(z, [1], 0, True)", "_fft_c2r(z, [0, 2], 2, 8)",
             "_fft_c2r(z, [1], 1, 7)"):
    suite.call(name.replace(" ", ""), f"torch.{name}", [{0: "a", 1: "b"}] * 2, precise, x=x, z=z)
suite.main()
