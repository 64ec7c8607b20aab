import { answerTasks } from '../../../platform/processes/answer-tasks.ts';
import { bookAsPdf } from './book-pdf.ts';
import { labelsAsPdf } from './labels-pdf.ts';
import type { PrintTask } from './print-task.ts';

/** Entry point of the thread that prints. */
answerTasks<PrintTask, Uint8Array>((task) =>
  task.what === 'book' ? bookAsPdf(task.printed, task.query) : labelsAsPdf(task.printed, task.query),
);
