import type { Trial } from '@heterosis/contracts/data/trials';
import classes from './trials.module.css';

const CLASS_OF: Record<string, string> = { e: 'ENTRY', c: 'CHECK', f: 'FILLER', b: 'BORDER' };

/** The map of a trial in small: a path a kind, so that a list of a hundred stays light. */
export function TrialThumbnail({ thumbnail }: { thumbnail: Trial['thumbnail'] }) {
  if (thumbnail === null) return <span className="hx-muted">–</span>;
  const { rows, columns, kinds } = thumbnail;
  const paths = new Map<string, string>();
  for (let cell = 0; cell < kinds.length; cell++) {
    const kind = CLASS_OF[kinds.charAt(cell)];
    if (kind === undefined) continue;
    const box = `M${cell % columns} ${Math.floor(cell / columns)}h1v1h-1z`;
    paths.set(kind, (paths.get(kind) ?? '') + box);
  }
  return (
    <svg
      className={classes.thumbnail}
      viewBox={`0 0 ${columns} ${rows}`}
      preserveAspectRatio="xMinYMid meet"
      aria-hidden="true"
    >
      {[...paths].map(([kind, path]) => (
        <path key={kind} d={path} data-kind={kind} />
      ))}
    </svg>
  );
}
