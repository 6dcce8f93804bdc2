"""What Extra-P's own readers make of these files: `python3 measured.py >measured.csv`, with extrap 4.2.5 installed."""
import csv
import pathlib
import sys

from extrap.fileio.file_reader.json_file_reader import JsonFileReader
from extrap.fileio.file_reader.text_file_reader import TextFileReader

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["file", "metric", "callpath", "point", "repetitions", "minimum", "median", "maximum"])
for path in sorted(pathlib.Path(__file__).parent.iterdir()):
    if path.suffix not in (".txt", ".json", ".jsonl"):
        continue
    reader = TextFileReader() if path.suffix == ".txt" else JsonFileReader()
    experiment = reader.read_experiment(path)
    for (callpath, metric), measurements in experiment.measurements.items():
        for measurement in measurements:
            point = " ".join(
                f"{parameter.name}={value:g}"
                for parameter, value in zip(experiment.parameters, measurement.coordinate.as_tuple())
            )
            values = (measurement.minimum, measurement.median, measurement.maximum)
            row = [path.name, metric.name, callpath.name, point, measurement.repetitions]
            out.writerow(row + [f"{value:.12g}" for value in values])
