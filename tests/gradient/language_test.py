"""What requires_grad_, detach, no_grad and torch.autograd.grad mean for the rest of the program."""

import torch
from derivatives import Derivatives

torch.manual_seed(0)
suite = Derivatives()
x = torch.randn(3, 4)


def program(name, body, *, dynamic=True, options=None, **inputs):
    lines = body.strip("\n").splitlines()
    suite.expr(name, lines[-1].strip().removeprefix("return "), statements="\n".join(lines[:-1]), dynamic=dynamic, options=options, **inputs)


program("detach", """
z = x.detach().requires_grad_()
y = (z * z.detach() * 3).sum()
g = torch.autograd.grad([y], [z])
return torch.jit._unwrap_optional(g[0])
""", x=x)
program("no_grad", """
z = x.detach().requires_grad_()
with torch.no_grad():
    w = z * z
y = (w * z).sum()
g = torch.autograd.grad([y], [z])
return (torch.jit._unwrap_optional(g[0]), w.requires_grad, y.requires_grad, torch.is_grad_enabled())
""", x=x)
program("properties", """
before = x.requires_grad
z = x.detach().requires_grad_()
y = z * 2
g = torch.autograd.grad([y.sum()], [z])
return (before, z.requires_grad, z.is_leaf, y.requires_grad, y.is_leaf, y.detach().requires_grad, x.is_leaf, torch.jit._unwrap_optional(g[0]))
""", x=x)
program("unused", """
z = x.detach().requires_grad_()
u = x.detach().requires_grad_()
g = torch.autograd.grad([(z * 2).sum()], [z, u], allow_unused=True)
return (torch.jit._unwrap_optional(g[0]), g[1] is None)
""", x=x)
program("unused-refused", """
z = x.detach().requires_grad_()
u = x.detach().requires_grad_()
g = torch.autograd.grad([(z * 2).sum()], [z, u])
return torch.jit._unwrap_optional(g[0])
""", x=x, dynamic=False, options=dict(error="appears to not have been used in the graph"))
program("not-a-number", """
z = x.detach().requires_grad_()
g = torch.autograd.grad([z * 2], [z])
return torch.jit._unwrap_optional(g[0])
""", x=x, dynamic=False, options=dict(error="grad can be implicitly created only for scalar outputs"))
program("zeros", """
z = torch.zeros(4)
z.requires_grad_()
y = ((x + z) ** 2).sum()
g = torch.autograd.grad([y], [z])
return torch.jit._unwrap_optional(g[0])
""", x=x, dynamic=False)
program("inner", """
z = x.detach().requires_grad_()
m = z.view(-1)
y = (m.view(x.shape) * z).sum()
g = torch.autograd.grad([y], [m, z])
return (torch.jit._unwrap_optional(g[0]), torch.jit._unwrap_optional(g[1]))
""", x=x)
program("several", """
z = x.detach().requires_grad_()
g = torch.autograd.grad([(z * z).sum(), z.sin().sum()], [z])
return torch.jit._unwrap_optional(g[0])
""", x=x)
program("integers", """
z = x.detach().requires_grad_()
y = (z.long().float() * z).sum()
g = torch.autograd.grad([y], [z])
return torch.jit._unwrap_optional(g[0])
""", x=x * 3)
program("unknown-derivative", """
z = x.detach().requires_grad_()
y = torch.lgamma(z).sum()
g = torch.autograd.grad([y], [z])
return torch.jit._unwrap_optional(g[0])
""", x=x.abs() + 1, dynamic=False, options=dict(error="the derivative of this function is not supported"))

if __name__ == "__main__":
    suite.main()
