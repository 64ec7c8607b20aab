import { totalmem } from 'node:os';
import { constrainedMemory, cpuUsage } from 'node:process';
import { measureRoutines } from '@heterosis/statgen/linear-algebra';

/** Operations a second of one thread, by routine. */
export interface MachineRates {
  double: number;
  single: number;
  tridiagonal: number;
  eigen: number;
  /** Calls decoded a second. */
  decoded: number;
  /** Share of a thread's speed that each further thread adds. */
  threadShare: number;
}

/** A core with AVX-512 at 2.6 GHz; the choice of the engine rests on these, so that it does not vary. */
export const NOMINAL_RATES: MachineRates = {
  double: 80e9,
  single: 160e9,
  tridiagonal: 8e9,
  eigen: 30e9,
  decoded: 2e8,
  threadShare: 0.85,
};

let measured: MachineRates | undefined;

/** Rates of this machine, by routines of moderate size; takes about a second of CPU time, once a process. */
export function measureRates(): MachineRates {
  measured ??= { ...NOMINAL_RATES, ...measureRoutines(cpuMilliseconds) };
  return measured;
}

/** CPU time of this process: what else runs on the machine while a routine is timed does not count. */
function cpuMilliseconds(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** Share of the memory that an analysis may take. */
const USABLE_SHARE = 0.9;

/** Memory that a process may use: of the machine, or of its container. */
export function usableMemoryMb(): number {
  const constrained = constrainedMemory();
  const limit = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return (USABLE_SHARE * limit) / 1e6;
}
