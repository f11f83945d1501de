"""What copy and pickle do with objects that point into memory of the C library. The bytes of such an object mean nothing in
another process, and two owners of one piece of memory would free it twice."""


class NotPickled:
    """Refuses to be pickled."""
    _instead = "make it again there from its file or its numbers"

    def __reduce_ex__(self, protocol):
        raise TypeError(f"a freebody.{type(self).__name__.lstrip('_')} cannot be pickled: {self._instead}")


class Shared(NotPickled):
    """Never changes, so its copy is itself."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class Single(NotPickled):
    """Has a state of its own in C, which cannot be copied."""

    def __copy__(self):
        raise TypeError(f"a freebody.{type(self).__name__} cannot be copied: make another one, from its model, scenario or folder")

    def __deepcopy__(self, memo):
        return self.__copy__()
