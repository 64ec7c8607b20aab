import type { OverviewAccuracy } from '@heterosis/contracts/people/projects';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
import { formatMeanSd, formatTick } from '../../../../lib/format/format.ts';
import classes from './overview-results.module.css';

/** The newest model of a trait, and the ones before it. */
interface TraitAccuracies {
  trait: string;
  newest: OverviewAccuracy;
  older: OverviewAccuracy[];
}

export function accuraciesByTrait(accuracies: readonly OverviewAccuracy[]): TraitAccuracies[] {
  const traits = new Map<string, TraitAccuracies>();
  for (const one of accuracies) {
    const known = traits.get(one.trait);
    if (known) known.older.push(one);
    else traits.set(one.trait, { trait: one.trait, newest: one, older: [] });
  }
  return [...traits.values()];
}

/** Predictive ability of each trait on one axis: a dot with its standard deviation, older models as rings. */
export function AccuracyDots({ projectId, traits }: { projectId: string; traits: readonly TraitAccuracies[] }) {
  const { t } = useTranslation();
  const all = traits.flatMap(({ newest, older }) => [newest, ...older]);
  // Down to the next lower half, so that a mark of the axis stands at its end.
  const low = Math.floor(Math.min(0, ...all.map(({ r, sd }) => (r ?? 0) - (sd ?? 0))) * 2) / 2;
  const toPercent = (r: number): string => `${(100 * (Math.min(1, Math.max(low, r)) - low)) / (1 - low)}%`;
  const ticks = Array.from({ length: Math.round((1 - low) * 2) + 1 }, (_, half) => low + half / 2);
  return (
    <div>
      <ul className={classes.dots}>
        {traits.map(({ trait, newest, older }) => (
          <li key={trait}>
            <Link
              className={classes.trait}
              title={`${trait} · ${newest.model.name}`}
              {...runLink('model', projectId, newest.model.id)}
              search={{ trait }}
            >
              {trait}
            </Link>
            <span className={classes.track} aria-hidden="true">
              {ticks.map((tick) => (
                <i key={tick} className={classes.tick} style={{ left: toPercent(tick) }} />
              ))}
              {older.map(({ model, r }) =>
                r === null ? null : (
                  <i key={model.id} className={classes.ring} style={{ left: toPercent(r) }} title={model.name} />
                ),
              )}
              {newest.r !== null && (
                <>
                  <i
                    className={classes.interval}
                    style={{
                      left: toPercent(newest.r - (newest.sd ?? 0)),
                      right: `calc(100% - ${toPercent(newest.r + (newest.sd ?? 0))})`,
                    }}
                  />
                  <i className={classes.dot} style={{ left: toPercent(newest.r) }} />
                </>
              )}
            </span>
            <span className={classes.number}>{formatMeanSd({ mean: newest.r, sd: newest.sd })}</span>
          </li>
        ))}
      </ul>
      <div className={classes.axis} aria-hidden="true">
        <span className={classes.track}>
          {ticks.map((tick) => (
            <span key={tick} style={{ left: toPercent(tick) }}>
              {formatTick(tick)}
            </span>
          ))}
        </span>
      </div>
      <p className={classes.note}>
        {t(all.length > traits.length ? 'overview.accuracyNoteOlder' : 'overview.accuracyNote')}
      </p>
    </div>
  );
}
