import { Worker } from 'node:worker_threads';
import type { ChainSums } from '@heterosis/statgen/sampler/marker-chain';
import { haveMet, type PooledChains, poolChains } from '@heterosis/statgen/sampler/pool-chains';
import type { AnalysisContext } from '../../context.ts';
import { type ChainMessage, type ChainTask, localChain } from './local-chain.ts';

/** How long chains are. */
export interface ChainLengths {
  chains: number;
  /** Of each chain, with the burn-in. */
  cycles: number;
  burnIn: number;
  seed: number;
  /** Ends before `cycles` once the chains have met. */
  earlyStop: boolean;
}

/** A chain that may run elsewhere. */
interface Chain {
  run(cycles: number, isRecorded: boolean): Promise<void>;
  sums(): Promise<ChainSums>;
  close(): Promise<void>;
}

/** Between two looks at whether the chains have met. */
const CYCLES_BETWEEN_LOOKS = 1000;
/** A turn of a chain: between two, others run, progress is told and cancellation is noticed. */
const SECONDS_A_TURN = 0.3;
/** Of one marker in one cycle, and of one of its calls: within a factor of three on any machine. */
const SECONDS_A_MARKER = 1e-7;
const SECONDS_A_CALL = 1e-10;
/** Of the blocks of markers, a call. */
const SECONDS_OF_BLOCKS = 5e-8;
/** Of a thread that begins: it loads its code. */
const SECONDS_OF_THREAD = 0.12;

/** About what a cycle of a chain takes with n individuals and m markers, in seconds. */
const cycleSeconds = ({ n, m }: { n: number; m: number }): number => m * (SECONDS_A_MARKER + n * SECONDS_A_CALL);

/** How many chains run side by side: short ones take less than the threads for them would take to begin. */
const chainsAtOnce = (
  size: { n: number; m: number },
  { chains, cycles, threads }: Pick<ChainLengths, 'chains' | 'cycles'> & { threads: number },
): number => (cycles * cycleSeconds(size) < SECONDS_OF_THREAD ? 1 : Math.min(threads, chains));

/** About what the chains of one fit take, in seconds. */
export function chainsSeconds(
  size: { n: number; m: number },
  lengths: Pick<ChainLengths, 'chains' | 'cycles'> & { threads: number },
): number {
  const { chains, cycles } = lengths;
  const atOnce = chainsAtOnce(size, lengths);
  const own = cycles * cycleSeconds(size) + (atOnce === 1 ? 0 : SECONDS_OF_THREAD);
  return size.n * size.m * SECONDS_OF_BLOCKS + (chains * own) / atOnce;
}

/**
 * Runs chains, as many at a time as the context has threads, in turns; with one thread and short ones here, otherwise
 * each in a thread of its own. A chain depends on its seed and its number alone, so the result does not depend on
 * threads or turns.
 */
export async function runChains(
  task: Omit<ChainTask, 'seed' | 'chain'>,
  lengths: ChainLengths,
  context: AnalysisContext,
  onCycles: (done: number, total: number) => void = () => undefined,
): Promise<PooledChains & { isEarly: boolean }> {
  const { chains: count, cycles, burnIn, seed, earlyStop } = lengths;
  const turn = Math.ceil(SECONDS_A_TURN / cycleSeconds(task.markers));
  const atOnce = chainsAtOnce(task.markers, { chains: count, cycles, threads: context.threads });
  const open = atOnce === 1 ? hereChain : threadChain;
  const chains = Array.from({ length: count }, (_, k) => open({ ...task, seed, chain: k + 1 }));
  const done = new Int32Array(count);
  const told = (): void => {
    context.signal?.throwIfAborted();
    onCycles(
      done.reduce((sum, own) => sum + own, 0),
      count * cycles,
    );
  };
  const runTo = async (end: number): Promise<void> => {
    const waiting = [...chains.keys()];
    const takeTurns = async (): Promise<void> => {
      for (let k = waiting.shift(); k !== undefined; k = waiting.shift()) {
        if (done[k] >= end) continue;
        const until = done[k] < burnIn ? Math.min(end, burnIn) : end;
        const own = Math.min(turn, until - done[k]);
        await chains[k].run(own, done[k] >= burnIn);
        done[k] += own;
        told();
        waiting.push(k);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, takeTurns));
  };
  try {
    let end = earlyStop ? Math.min(cycles, burnIn + CYCLES_BETWEEN_LOOKS) : cycles;
    for (;;) {
      await runTo(end);
      const pooled = poolChains(await Promise.all(chains.map((chain) => chain.sums())));
      if (end === cycles || haveMet(pooled)) return { ...pooled, isEarly: end < cycles };
      end = Math.min(cycles, end + CYCLES_BETWEEN_LOOKS);
    }
  } finally {
    await Promise.all(chains.map((chain) => chain.close()));
  }
}

function hereChain(task: ChainTask): Chain {
  const chain = localChain(task);
  return {
    async run(cycles, isRecorded) {
      // Cycles block the event loop: yield in between so that cancellation is handled.
      await new Promise((resolve) => setImmediate(resolve));
      chain.run(cycles, isRecorded);
    },
    sums: async () => chain.sums(),
    close: async () => undefined,
  };
}

function threadChain(task: ChainTask): Chain {
  const worker = new Worker(new URL('./chain.thread.ts', import.meta.url), { workerData: task });
  const asked = async <Answer>(message: ChainMessage): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const ended = (): void => reject(new Error('The thread of a chain ended.'));
    worker.once('message', resolve).once('error', reject).once('exit', ended);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage(message);
    try {
      return await promise;
    } finally {
      worker.off('message', resolve).off('error', reject).off('exit', ended);
    }
  };
  return {
    run: async (cycles, isRecorded) => await asked<void>({ cycles, isRecorded }),
    sums: async () => await asked<ChainSums>('sums'),
    close: async () => void (await worker.terminate()),
  };
}
