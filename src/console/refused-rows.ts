import type { Fault } from '../kernel/faults.ts';
import { exitCodes, printErrors, withRest } from './program.ts';

/** Refused rows whose faults are printed; of the others only their number. */
const maxReported = 100;

/** The rows of a file that an import refuses. */
export class RefusedRows {
  readonly #sentences: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The last part of the path of a fault is the column. */
  add(line: number, faults: readonly Fault[]): void {
    this.#count += 1;
    if (this.#count > maxReported) return;
    for (const { message, inputPath } of faults) {
      this.#sentences.push(`${[`line ${line}`, ...inputPath.slice(-1)].join(', ')}: ${message}`);
    }
  }

  /** The command ends with a failure when a row was refused. */
  print(command: string): void {
    if (this.#count > 0) process.exitCode = exitCodes.failed;
    printErrors(command, withRest(this.#sentences, this.#count - maxReported, 'rows'));
  }
}
