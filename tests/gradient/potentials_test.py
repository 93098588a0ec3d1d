"""Machine-learned potentials: energies, and forces that the program finds by differentiation."""

import os
import sys
from typing import List, Optional

import torch
from torch import Tensor, nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from suite import Suite  # noqa: E402


class Potentials(Suite):
    gradients = True


class ShiftedSoftplus(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.softplus(x) - 0.6931471805599453


class Interaction(nn.Module):
    def __init__(self, width: int, functions: int, cutoff: float):
        super().__init__()
        self.filter = nn.Sequential(nn.Linear(functions, width), ShiftedSoftplus(), nn.Linear(width, width))
        self.before, self.after = nn.Linear(width, width, bias=False), nn.Linear(width, width)
        self.activation = ShiftedSoftplus()
        self.cutoff = cutoff

    def forward(self, h: Tensor, i: Tensor, j: Tensor, distance: Tensor, functions: Tensor) -> Tensor:
        envelope = 0.5 * (torch.cos(distance * 3.141592653589793 / self.cutoff) + 1.0) * (distance < self.cutoff)
        messages = self.before(h)[j] * self.filter(functions) * envelope.unsqueeze(-1)
        summed = torch.zeros_like(h).index_add(0, i, messages)
        return h + self.after(self.activation(summed))


class SchNet(nn.Module):
    """Distances in Gaussians, continuous filters, forces as the negative gradient."""

    def __init__(self, width: int = 16, functions: int = 8, cutoff: float = 4.0):
        super().__init__()
        self.embedding = nn.Embedding(10, width)
        self.blocks = nn.ModuleList([Interaction(width, functions, cutoff) for _ in range(2)])
        self.output = nn.Sequential(nn.Linear(width, 8), ShiftedSoftplus(), nn.Linear(8, 1))
        self.register_buffer("centres", torch.linspace(0.0, cutoff, functions))

    def forward(self, species: Tensor, positions: Tensor, edges: Tensor):
        positions.requires_grad_(True)
        i, j = edges[0], edges[1]
        distance = torch.norm(positions[i] - positions[j], dim=-1)
        functions = torch.exp(-2.0 * (distance.unsqueeze(-1) - self.centres) ** 2)
        h = self.embedding(species)
        for block in self.blocks:
            h = block(h, i, j, distance, functions)
        energy = self.output(h).sum()
        gradient = torch.autograd.grad([energy], [positions])[0]
        assert gradient is not None
        return energy, -gradient


class NequIP(nn.Module):
    """Vectors beside scalars, products of tensors, and the stress as the derivative by a strain of zeros."""

    def __init__(self, width: int = 8, functions: int = 6, cutoff: float = 4.0):
        super().__init__()
        self.embedding = nn.Embedding(10, width)
        self.radial = nn.Sequential(nn.Linear(functions, 16), nn.SiLU(), nn.Linear(16, 4 * width))
        self.mix_scalars = nn.Linear(width, width)
        self.mix_vectors = nn.Parameter(torch.randn(width, width) / width)
        self.gate, self.output = nn.Linear(width, width), nn.Linear(width, 1)
        self.width, self.cutoff = width, cutoff
        self.register_buffer("roots", torch.arange(1, functions + 1).float())

    def forward(self, species: Tensor, positions: Tensor, cell: Tensor, edges: Tensor, shifts: Tensor):
        positions = positions.detach().requires_grad_(True)
        strain = torch.zeros(3, 3, dtype=positions.dtype)
        strain.requires_grad_(True)
        symmetric = 0.5 * (strain + strain.t())
        moved = positions + positions @ symmetric
        lattice = cell + cell @ symmetric
        i, j = edges[0], edges[1]
        vectors = moved[j] - moved[i] + torch.einsum("ni,ij->nj", shifts, lattice)
        length = torch.linalg.norm(vectors, dim=-1, keepdim=True)
        x = length / self.cutoff
        envelope = torch.where(x < 1.0, 1.0 - 28.0 * x**6 + 48.0 * x**7 - 21.0 * x**8, torch.zeros_like(x))
        bessel = torch.sin(self.roots * 3.141592653589793 * x) / length * envelope
        weights = self.radial(bessel).view(-1, 4, self.width)
        harmonics = 1.7320508075688772 * vectors / length
        s = self.embedding(species)
        v = torch.zeros(s.shape[0], self.width, 3, dtype=s.dtype)
        for _ in range(2):
            sj, vj = s[j], v[j]
            inner = torch.einsum("ewx,ex->ew", vj, harmonics)
            scalars = weights[:, 0] * sj + weights[:, 1] * inner
            outer = (weights[:, 2] * sj).unsqueeze(-1) * harmonics.unsqueeze(1)
            turned = torch.cross(vj, harmonics.unsqueeze(1).expand_as(vj), dim=-1)
            s = s + torch.tanh(self.mix_scalars(torch.zeros_like(s).index_add(0, i, scalars)))
            summed = torch.zeros_like(v).index_add(0, i, outer + weights[:, 3].unsqueeze(-1) * turned)
            v = v + torch.einsum("nwx,wu->nux", summed, self.mix_vectors) * torch.sigmoid(self.gate(s)).unsqueeze(-1)
        invariant = (v * v).sum(-1)
        energy = self.output(nn.functional.silu(s + invariant)).sum()
        found = torch.autograd.grad([energy], [positions, strain])
        gradient, virial = found[0], found[1]
        assert gradient is not None and virial is not None
        return energy, -gradient, virial / torch.abs(torch.det(cell))


class DeepPotential(nn.Module):
    """A smooth environment matrix of padded neighbours, in f64, with forces and virials of each frame."""

    def __init__(self, near: float = 1.0, far: float = 4.0):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 12), nn.Tanh()).double()
        self.types = nn.Embedding(3, 4).double()
        self.fit = nn.Sequential(nn.Linear(12 * 4 + 4, 16), nn.Tanh(), nn.Linear(16, 1)).double()
        self.near, self.far = near, far

    def forward(self, coordinates: Tensor, types: Tensor, neighbours: Tensor):
        frames, atoms = types.shape[0], types.shape[1]
        coordinates = coordinates.view(frames, -1, 3).detach()
        coordinates.requires_grad_(True)
        present = neighbours >= 0
        places = torch.where(present, neighbours, torch.zeros_like(neighbours))
        count = neighbours.shape[2]
        index = places.view(frames, atoms * count).unsqueeze(-1).expand(-1, -1, 3)
        others = torch.gather(coordinates, 1, index).view(frames, atoms, count, 3)
        between = others - coordinates[:, :atoms].unsqueeze(2)
        length = torch.linalg.norm(between, dim=-1, keepdim=True)
        length = length + (~present).unsqueeze(-1).to(length.dtype)
        u = ((length - self.near) / (self.far - self.near)).clamp(0.0, 1.0)
        switch = u * u * u * (-6 * u * u + 15 * u - 10) + 1
        switch = switch * present.unsqueeze(-1).to(switch.dtype)
        matrix = torch.cat([1 / length, between / length**2], dim=-1) * switch
        g = self.embed(matrix[..., :1])
        left = torch.matmul(g.transpose(-1, -2), matrix) / count
        descriptor = torch.matmul(left, left[..., :4, :].transpose(-1, -2)).reshape(frames, atoms, -1)
        energies = self.fit(torch.cat([descriptor, self.types(types)], dim=-1))
        energy = energies.sum(1)
        ones: List[Optional[Tensor]] = [torch.ones_like(energy)]
        gradient = torch.autograd.grad([energy], [coordinates], ones, retain_graph=True, create_graph=self.training)[0]
        assert gradient is not None
        force = -gradient
        virial = force.unsqueeze(-1) @ coordinates.unsqueeze(-2)
        return energy, force.view(frames, -1), virial.sum(1)


def pairs(n):
    return torch.tensor([[i, j] for i in range(n) for j in range(n) if i != j]).t().contiguous()


def atoms(n, dtype=torch.float32):
    return torch.randint(0, 10, (n,)), 2.0 * torch.rand(n, 3, dtype=dtype)


def periodic(n):
    species, positions = atoms(n)
    edges = pairs(n)
    return [species, positions, 5.0 * torch.eye(3) + 0.2 * torch.randn(3, 3), edges, torch.randint(-1, 2, (edges.shape[1], 3)).float()]


def frames(count, n, listed):
    neighbours = torch.stack([torch.stack([torch.tensor([j for j in range(n) if j != i][:listed] + [-1] * (listed - n + 1))
                                           for i in range(n)]) for _ in range(count)])
    return [2.0 * torch.rand(count, 3 * n, dtype=torch.float64), torch.randint(0, 3, (count, n)), neighbours]


torch.manual_seed(0)
suite = Potentials()
schnet = [[*atoms(n), pairs(n)] for n in (4, 6)]
suite.add("schnet", SchNet(), schnet[0])
suite.add("schnet-dynamic", SchNet(), schnet[0], dynamic=[{0: "atoms"}, {0: "atoms"}, {1: "edges"}], more=[schnet[1]])
nequip = [periodic(n) for n in (4, 5)]
suite.add("nequip", NequIP(), nequip[0])
suite.add("nequip-dynamic", NequIP(), nequip[0], dynamic=[{0: "atoms"}, {0: "atoms"}, {}, {1: "edges"}, {0: "edges"}], more=[nequip[1]])
deep = [frames(1, 4, 5), frames(2, 6, 7)]
suite.add("deep-potential", DeepPotential(), deep[0])
suite.add("deep-potential-dynamic", DeepPotential(), deep[0],
          specs=["coordinates=f64[frames,3*atoms]", "types=i64[frames,atoms]", "neighbours=i64[frames,atoms,listed]"], more=[deep[1]])

if __name__ == "__main__":
    suite.main()
