"""modelDescription.xml of an FMI 3 and an FMI 2 unit of the same plant: value references, structure, units, files. Prints the token.
   description.py FOLDER3 FOLDER2"""
import glob
import os
import sys
import xml.etree.ElementTree as tree


def fail(text):
    sys.exit(f"description.py: {text}")


def read(folder, version):
    root = tree.parse(f"{folder}/modelDescription.xml").getroot()
    if root.get("fmiVersion") != f"{version}.0":
        fail(f"{folder} is FMI {root.get('fmiVersion')}")
    identifier = root.find("CoSimulation").get("modelIdentifier")
    if [os.path.basename(file) for file in glob.glob(f"{folder}/binaries/*/*")] != [f"{identifier}.so"]:
        fail(f"{folder} has no binary called {identifier}.so")
    return root


def variables(root, version):
    """name -> (reference, causality, variability, unit, start), in the order of the file."""
    found = {}
    for entry in root.find("ModelVariables"):
        number = entry if version == 3 else entry.find("Real")
        found[entry.get("name")] = (int(entry.get("valueReference")), entry.get("causality"), entry.get("variability"),
                                    number.get("unit"), number.get("start"))
    return found


three, two = read(sys.argv[1], 3), read(sys.argv[2], 2)
of3, of2 = variables(three, 3), variables(two, 2)
if of3 != of2:
    fail(f"the versions differ: {of3} {of2}")
if [row[0] for row in of3.values()] != list(range(len(of3))):
    fail("value references are not 0, 1, 2 ...")
names = list(of3)
outputs = [name for name in names if of3[name][1] == "output"]
if [names[int(entry.get("valueReference"))] for entry in three.findall("ModelStructure/Output")] != outputs:
    fail("the outputs of FMI 3 are not those of the structure")
for kind in ("Outputs", "InitialUnknowns"):
    if [names[int(entry.get("index")) - 1] for entry in two.findall(f"ModelStructure/{kind}/Unknown")] != outputs:
        fail(f"{kind} of FMI 2 are not the outputs")
units = {unit.get("name"): dict(unit.find("BaseUnit").attrib) for unit in three.iter("Unit")}
if units.get("N.m") != {"kg": "1", "m": "2", "s": "-2"} or units.get("rad/s") != {"rad": "1", "s": "-1"}:
    fail(f"units: {units}")
missing = {row[3] for row in of3.values() if row[3]} - set(units)
if missing:
    fail(f"units without a definition: {missing}")
if of3["input.tau.hinge"][1:] != ("input", "continuous", "N.m", "0") or of3["time"][1] != "independent":
    fail(f"{of3['input.tau.hinge']}")
if of3["start.q.hinge"][2] != "fixed" or float(of3["start.q.hinge"][4]) < 1:
    fail(f"{of3['start.q.hinge']}")
if three.get("instantiationToken") != two.get("guid"):
    fail("the tokens differ")
print(three.get("instantiationToken"))
