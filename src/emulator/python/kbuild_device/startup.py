"""Changes torch as soon as it has been imported, before any other code sees it."""

import importlib.abc
import importlib.util
import sys


def _after_import(torch):
    from kbuild_device import operators, rocm_view

    rocm_view.apply(torch)
    operators.install(torch)


class _Loader(importlib.abc.Loader):
    def __init__(self, loader):
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        _after_import(module)


class _TorchFinder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None:
            spec.loader = _Loader(spec.loader)
        return spec


sys.meta_path.insert(0, _TorchFinder())
