import { fileType } from '@heterosis/contracts/data/files';
import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { runListLink } from '../../../../lib/browser/run-kinds.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { sharedLinesQuery } from './overview-figures.api.ts';
import classes from './project-overview-page.module.css';

/** What is in the project, in words; and how many lines have both genotypes and phenotypes. */
export function OverviewData({ projectId, overview }: { projectId: string; overview: ProjectOverview }) {
  const { t } = useTranslation();
  const { genotype_id, phenotype_id } = overview.newest;
  return (
    <Section title={t('nav.data')}>
      {genotype_id !== null && phenotype_id !== null && (
        <SharedLines projectId={projectId} body={{ genotype_id, phenotype_id }} />
      )}
      <DataSentence overview={overview} />
      <p className={classes.links}>
        <Link className="hx-link" to="/projects/$projectId/storage" params={{ projectId }}>
          {t('nav.files')}
        </Link>
        {runKinds
          .filter((kind) => overview[RUN_KINDS[kind].path] > 0)
          .map((kind) => {
            const { path } = RUN_KINDS[kind];
            return (
              <Link key={kind} className="hx-link" {...runListLink(kind, projectId)}>
                {t(`overview.runs.${path}`, { count: overview[path] })}
              </Link>
            );
          })}
      </p>
    </Section>
  );
}

/** `281 individuals × 3,093 markers · 3 traits: EarHT, dpoll, EarDia · 2 genotype files, 1 phenotype file`. */
function DataSentence({ overview }: { overview: ProjectOverview }) {
  const { t } = useTranslation();
  const { files, individuals, markers, traits } = overview;
  const counted = fileType.options.flatMap((type) => {
    const count = files[type.toLowerCase() as Lowercase<typeof type>];
    return count === 0 ? [] : t(`overview.files.${type}`, { count });
  });
  const parts = [
    ...(files.genotype === 0
      ? []
      : [
          t('home.outcomes.upload.number', {
            individuals: t('overview.individuals', { count: individuals, shown: formatCount(individuals) }),
            markers: t('overview.markers', { count: markers, shown: formatCount(markers) }),
          }),
        ]),
    ...(traits.length === 0 ? [] : [t('overview.traits', { count: traits.length, names: namesOf(traits) })]),
    ...(counted.length === 0 ? [] : [counted.join(', ')]),
  ];
  return <p className={classes.words}>{parts.length === 0 ? t('overview.noFiles') : parts.join(' · ')}</p>;
}

const NAMED_TRAITS = 6;
const namesOf = (traits: readonly string[]): string =>
  traits.length <= NAMED_TRAITS ? traits.join(', ') : `${traits.slice(0, NAMED_TRAITS).join(', ')}, …`;

/** Lines of the newest files as one bar: only genotyped, in both, only phenotyped. */
function SharedLines({ projectId, body }: { projectId: string; body: { genotype_id: string; phenotype_id: string } }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(sharedLinesQuery(projectId, body));
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const parts = [
    { part: 'genotyped', count: data?.only_left },
    { part: 'both', count: data?.both },
    { part: 'phenotyped', count: data?.only_right },
  ] as const;
  return (
    <div className={classes.shared}>
      <p className={classes.sharedFiles}>
        {data && t('overview.sharedFiles', { genotype: data.left.name, phenotype: data.right.name })}
      </p>
      <div className={classes.bar} aria-hidden="true">
        {parts.map(({ part, count = 0 }) => (
          <span key={part} data-part={part} style={{ flexGrow: count }} hidden={count === 0} />
        ))}
      </div>
      <ul className={classes.legend}>
        {parts.map(({ part, count }) => (
          <li key={part} data-part={part}>
            <span className="hx-tabular">{formatCount(count)}</span> {t(`overview.lines.${part}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}
