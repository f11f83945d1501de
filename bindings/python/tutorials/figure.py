"""What the tutorials share: where Freebody's models are, and a figure that is saved without a screen."""
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

SCENARIOS = pathlib.Path(__file__).resolve().parents[3] / "scenarios"


def save(fig, name):
    """Saves the figure as the first argument of the script says, or as NAME.png here."""
    file = sys.argv[1] if len(sys.argv) > 1 else name + ".png"
    fig.tight_layout()
    fig.savefig(file, dpi=110)
    plt.close(fig)
    print("figure:", file)
