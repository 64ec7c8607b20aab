import { threadId } from 'node:worker_threads';
import { answerTasks } from './answer-tasks.ts';

/** A thread that tells who it is, fails, or ends, as it is asked. */
answerTasks((task: 'tell' | 'fail' | 'end') => {
  if (task === 'fail') throw new RangeError('The task cannot be done.');
  if (task === 'end') process.exit(0);
  return threadId;
});
