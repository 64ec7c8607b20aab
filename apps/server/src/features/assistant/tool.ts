import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type * as z from 'zod';
import type { CallAsPerson } from './call-as-person.ts';

/** What a tool works with. */
export interface ToolCall {
  call: CallAsPerson;
  /** Takes the bytes of an upload. */
  sendBytes(address: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Ends when the assistant hangs up. */
  signal: AbortSignal;
}

/** What a tool found. */
export interface Found {
  /** Everything read from the database, and nothing else. */
  data: unknown;
  /** Addresses of the API that the data came from. */
  api?: string[];
  /** The page that shows it, below the address of the installation. */
  page?: string;
  /** What to do next, in our words. */
  next?: string;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /** It changes something: a token that may only read is refused. */
  writes: boolean;
  run(call: ToolCall, input: never): Promise<Found>;
}

/** What the audit log keeps of the input of a tool. */
export interface Named {
  project_id?: string;
  kind?: RunKind;
  run_id?: string;
  file_id?: string;
}

export const defineTool = <Input extends z.ZodObject>(
  tool: Omit<Tool, 'run' | 'input'> & {
    input: Input;
    run(call: ToolCall, input: z.output<Input>): Promise<Found>;
  },
): Tool => tool as Tool;
