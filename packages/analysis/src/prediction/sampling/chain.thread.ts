import { parentPort, workerData } from 'node:worker_threads';
import { type ChainMessage, type ChainTask, localChain } from './local-chain.ts';

const chain = localChain(workerData as ChainTask);

if (parentPort === null) throw new Error('This is a thread of an analysis.');
const port = parentPort;
port.on('message', (message: ChainMessage) => {
  if (message === 'sums') port.postMessage(chain.sums());
  else {
    chain.run(message.cycles, message.isRecorded);
    port.postMessage(null);
  }
});
