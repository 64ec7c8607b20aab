// What people read: comments and documents stay within 120 columns and refer to nothing that a reader does not have,
// and commit subjects stay short.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const COLUMNS = 120;
const SUBJECT_LENGTH = 72;
/** Subjects up to this commit are as they are. */
const FIRST_CHECKED_COMMIT = '05a4644';

const SOURCE = /\.(ts|tsx|mjs|css|yml|sh)$/;
/** Directives of the linter cannot be broken. */
const COMMENT = /^\s*(\/\/(?! (?:oxlint|biome))|\/\*|\*|#)/;
/** Names of documents outside the repository, as they used to be cited: "FORMATS §2", "(ROLES)". */
const ABSENT =
  /\b(SPEC|FORMATS|ROLES|DESIGN|STYLE|METHODS|SCALE|BRAPI|STACK|USERS|UI)\b(?=\s*§|\.md|\.txt)|\.\.\/shared\b/;
const ABSENT_IN_COMMENTS = /\((SPEC|ROLES|DESIGN|STYLE|STACK|USERS)\)|\b(SPEC|DESIGN|STACK|USERS) (says|has|allows)\b/;
const DOCUMENT = /(?<![\w/.-])((?:[\w.-]+\/)*[\w-]+\.md)\b/g;

/** Files whose rule needs the forbidden words. */
const EXEMPT = new Set(['scripts/words.mjs', 'scripts/check.mjs']);

/** Violations in all tracked files, and in the subjects of the commits since the rule was made. */
export function findWordViolations(root) {
  const paths = git(root, 'ls-files', '--cached', '--others', '--exclude-standard').split('\n').filter(Boolean);
  const files = paths.filter((path) => (SOURCE.test(path) || path.endsWith('.md')) && !path.endsWith('.gen.ts'));
  const inFiles = files
    .filter((path) => !EXEMPT.has(path) && existsSync(join(root, path)))
    .flatMap((path) =>
      wordViolations(path, readFileSync(join(root, path), 'utf8'), (name) => isKnown(root, path, name)),
    );
  return [...inFiles, ...subjectViolations(newSubjects(root))];
}

/** Violations of one file; `isDocument` says whether a Markdown file of that name exists. */
export function wordViolations(path, text, isDocument) {
  const violations = [];
  const isMarkdown = path.endsWith('.md');
  let inCode = false;
  text.split('\n').forEach((line, index) => {
    const where = `${path}:${index + 1}`;
    if (isMarkdown && line.startsWith('```')) inCode = !inCode;
    const isComment = !isMarkdown && COMMENT.test(line);
    const isProse = isMarkdown && !inCode && !line.startsWith('|') && !/^\s*[[!]?\[.*\]\(\S+\)\S*$/.test(line);
    if ((isComment || isProse) && line.length > COLUMNS) violations.push(`${where}: ${line.length} columns`);
    if (ABSENT.test(line) || (isComment && ABSENT_IN_COMMENTS.test(line)))
      violations.push(`${where}: refers to a document outside the repository: ${line.trim()}`);
    if (isComment || isProse)
      for (const [, name] of line.matchAll(DOCUMENT))
        if (!isDocument(name)) violations.push(`${where}: there is no ${name}`);
  });
  return violations;
}

export function subjectViolations(subjects) {
  return subjects
    .filter((subject) => subject.length > SUBJECT_LENGTH)
    .map((subject) => `commit subject of ${subject.length} characters: ${subject}`);
}

/** Empty where the history is not there, as in a shallow clone or an archive. */
function newSubjects(root) {
  try {
    return git(root, 'log', '--no-merges', '--format=%s', `${FIRST_CHECKED_COMMIT}..HEAD`).split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function isKnown(root, path, name) {
  const places = [join(root, name), join(root, dirname(path), name), join(root, 'docs', name)];
  return places.some((place) => existsSync(place)) || basename(name) === 'README.md';
}

function git(root, ...args) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
