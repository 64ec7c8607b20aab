import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
import { formatChromosome, formatMb, formatPValue } from '../../../../lib/format/format.ts';
import { AccuracyDots, accuraciesByTrait } from './accuracy-dots.tsx';
import { BestCrosses } from './best-crosses.tsx';
import { BestLines } from './best-lines.tsx';
import { GenomeScan } from './genome-scan.tsx';
import classes from './overview-results.module.css';

type Results = ProjectOverview['results'];

/** The main figures of the newest results. Nothing is shown before there is a result. */
export function OverviewResults({ projectId, results }: { projectId: string; results: Results }) {
  const { t } = useTranslation();
  const { associations, crosses } = results;
  const traits = accuraciesByTrait(results.accuracies);
  if (traits.length === 0 && associations.length === 0 && crosses === null) return null;
  return (
    <Section title={t('word.results')}>
      <div className={classes.panels}>
        {traits.length > 0 && (
          <Panel title={t('overview.accuracy')}>
            <AccuracyDots projectId={projectId} traits={traits} />
          </Panel>
        )}
        {traits.length > 0 && (
          <Panel title={t('overview.bestLines')}>
            <BestLines projectId={projectId} ranking={results.ranking} newest={traits.map(({ newest }) => newest)} />
          </Panel>
        )}
        {associations.length > 0 && (
          <Panel title={t('overview.associations')}>
            <Associations projectId={projectId} associations={associations} />
          </Panel>
        )}
        {crosses !== null && crosses.best.length > 0 && (
          <Panel title={t('overview.bestCrosses')}>
            <BestCrosses projectId={projectId} crosses={crosses} />
          </Panel>
        )}
      </div>
    </Section>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.panel} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Associations({ projectId, associations }: { projectId: string; associations: Results['associations'] }) {
  const { t } = useTranslation();
  const [strongest] = [...associations].sort((a, b) => (a.top?.p ?? 1) - (b.top?.p ?? 1));
  return (
    <div>
      {strongest && <GenomeScan projectId={projectId} association={strongest} />}
      {strongest && <p className={classes.note}>{t('overview.scanNote', { trait: strongest.trait })}</p>}
      <ul className={`${classes.rows} ${classes.markers}`}>
        {associations.map(({ trait, gwas, hits, top }) => (
          <li key={trait}>
            <Link
              className={classes.trait}
              title={gwas.name}
              {...runLink('gwas', projectId, gwas.id)}
              search={{ trait }}
            >
              {trait}
            </Link>
            <span className={classes.name}>
              {top
                ? t('overview.topMarker', {
                    ...{ marker: top.id, chr: formatChromosome(top.chr), position: formatMb(top.pos) },
                  })
                : '–'}
            </span>
            <span className={classes.number}>
              {t('overview.pOfHits', { p: formatPValue(top?.p), hits: t('overview.hits', { count: hits }) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
