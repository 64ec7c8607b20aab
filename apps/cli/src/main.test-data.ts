import { Writable } from 'node:stream';
import { runProgram } from './main.ts';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line in this process, which saves the start of one; `in-scripts.test.ts` starts it as users do. */
export async function heterosis(...args: string[]): Promise<Ended> {
  const [stdout, stderr] = [new Text(), new Text()];
  const code = await runProgram(args, { stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Text extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
