import { relative, resolve } from 'node:path';
import { moveIn } from '@heterosis/analysis/move-in/move-in';
import { countsText, moveInReport } from '@heterosis/analysis/move-in/move-in-report';
import type { MovedFile } from '@heterosis/analysis/move-in/moved-file';
import { type Command, defineCommand, inputError } from '../command.ts';
import { writeOutput } from '../write-output.ts';
import { sendMade } from './send-made.ts';

export const moveInCommand: Command = defineCommand({
  name: 'move-in',
  summary: 'take over a folder from Breedbase, BMS, Germinate or R, with a report',
  description: [
    'Looks at every file of a folder and those below it, recognises what Breedbase, BMS and Germinate write by the headers of their tables, and what scripts in R read (GAPIT, TASSEL, rrBLUP, PLINK) by its content. What needs other headers is written anew as tables of ours; files that are read as they are stay where they are.',
    "Files that belong together are put together: values of plots with the layout that names their lines (Breedbase), the files of a PLINK set, calls with the list of their markers (GAPIT's GD and GM).",
    'With --project what came in is sent to a project on the server: lists of lines to the germplasm list, where only blanks of known lines are filled and unknown parents are created, all else as files. Look at the report of a run without it first. Tables that nothing tells to be phenotypes are not sent.',
    'Everything that comes in is checked as the server checks it. The report says of each file what it was taken for, what came in, what stayed behind and why, and what to do. The files of the folder are not changed.',
  ],
  options: {
    folder: { kind: 'text', required: true, placeholder: 'DIR', help: 'Folder to move in.' },
    out: { kind: 'text', required: true, placeholder: 'DIR', help: 'Folder for what is made, created if missing.' },
    project: { kind: 'name', placeholder: 'PROJECT', help: 'Name or id of a project on the server to send it to.' },
  },
  output: [
    'DIR/report.txt: the report. DIR/report.json: the same for programs.',
    'DIR/*.germplasm.csv, *.phenotypes.csv, *.pedigree.csv, *.crosses.csv, *.calls.csv, *.zip: what was made.',
  ],
  examples: [
    'heterosis move-in --folder from-breedbase --out moved',
    'heterosis move-in --folder from-breedbase --out moved --project "Cassava 2026"',
  ],
  takesPolyploids: true,
  async run(options, io) {
    if (!relative(resolve(options.out), resolve(options.folder)).startsWith('..'))
      throw inputError(
        'E-CLI-SAME-FILE',
        `--folder lies in --out, ${options.out}.`,
        'Give what is made a folder of its own.',
      );
    const moved = await moveIn(options, io.context);
    if (moved.length === 0)
      throw inputError('E-CLI-MISSING', `There are no files in ${options.folder}.`, 'Name the folder with the files.');
    const sent = options.project === undefined ? null : await sendMade(moved, options.project, io);
    await writeOutput(`${options.out}/report.txt`, [moveInReport(moved, options)]);
    await writeOutput(`${options.out}/report.json`, [`${JSON.stringify({ files: moved }, null, 2)}\n`]);
    if (sent !== null && sent.refused > 0)
      throw inputError(
        'E-CLI-RUN',
        `The server refused ${sent.refused} of ${sent.sent} files.`,
        `Read why in ${options.out}/report.txt.`,
      );
    return {
      summary: { files: moved.map(inShort), report: `${options.out}/report.txt` },
      lines: [...moved.map(lineOf), `written: ${options.out}/report.txt`],
    };
  },
});

const inShort = ({ file, takenFor, cameWith, made, left, advice }: MovedFile) => ({
  ...{ file, taken_for: takenFor, came_with: cameWith ?? null, left, advice },
  made: made.map(({ path, type, counts, isUsable, sent }) => ({
    path,
    type,
    counts,
    usable: isUsable,
    sent: sent ?? null,
  })),
});

function lineOf({ file, takenFor, cameWith, made, left }: MovedFile): string {
  const usable = made.filter(({ isUsable }) => isUsable);
  const came = [
    ...usable.map(({ type, counts }) => `${type} (${countsText(counts)})`),
    ...(cameWith === undefined ? [] : [`came in with ${cameWith}`]),
  ].join('; ');
  return `${file}: ${takenFor}. ${came === '' ? 'Nothing came in' : came}${left.length === 0 ? '' : `; stayed behind: ${left.length}`}`;
}
