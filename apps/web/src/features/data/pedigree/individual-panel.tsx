import type { Coancestries, PedigreeIndividual } from '@heterosis/contracts/data/pedigree';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import { germplasmLink } from '../germplasm/index.ts';
import type { Kin } from './graph/kin.ts';
import { coancestriesQuery } from './pedigree.api.ts';
import classes from './pedigree.module.css';

/** What the pedigree says of the chosen individuals. */
export function IndividualPanel(props: {
  place: Place;
  kin: Kin;
  chosen: readonly number[];
  onChoose: (individual: number) => void;
  onExpand: (individual: number) => void;
  onLineage: (individual: number) => void;
}) {
  const { place, kin, chosen } = props;
  const { t } = useTranslation();
  const last = chosen.at(-1);
  const one = last === undefined ? undefined : kin.individuals[last];
  if (last === undefined || one === undefined) return <p className="hx-muted">{t('pedigree.chooseHint')}</p>;
  const parent = (position: number | null) =>
    position === null ? (
      t('word.unknown')
    ) : (
      <Button size="compact-xs" variant="subtle" onClick={() => props.onChoose(position)}>
        {kin.individuals[position]?.name}
      </Button>
    );
  return (
    <section className={classes.person} aria-label={t('pedigree.chosen')}>
      <h2>
        <Link {...(germplasmLink(place, one.id) as LinkProps)} className="hx-link">
          {one.name}
        </Link>
      </h2>
      <dl className={classes.facts}>
        <dt>{t('word.female')}</dt>
        <dd>{parent(one.maternal)}</dd>
        <dt>{t('word.male')}</dt>
        <dd>{parent(one.paternal)}</dd>
        {one.cross_type !== null && (
          <>
            <dt>{t('pedigree.crossType')}</dt>
            <dd>{t(`pedigree.crossTypes.${one.cross_type}`)}</dd>
          </>
        )}
        {one.selfing_generations !== null && (
          <>
            <dt>{t('pedigree.selfings')}</dt>
            <dd>{formatCount(one.selfing_generations)}</dd>
          </>
        )}
        <dt>{t('word.inbreedingF')}</dt>
        <dd>{one.inbreeding === null ? t('pedigree.notKnown') : formatStatistic(one.inbreeding)}</dd>
        <dt>{t('pedigree.progeny')}</dt>
        <dd>{formatCount(kin.progeny[last]?.length ?? 0)}</dd>
        <dt>{t('word.collection')}</dt>
        <dd>{one.collection ?? '–'}</dd>
      </dl>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => props.onExpand(last)}>
          {t('pedigree.expand')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => props.onLineage(last)}>
          {t('pedigree.onlyLineage')}
        </Button>
      </Group>
      {chosen.length > 1 && <CoancestryMatrix {...props} />}
    </section>
  );
}

/** A matrix of more is no longer read. */
const MOST_CHOSEN = 12;

function CoancestryMatrix({ place, kin, chosen }: { place: Place; kin: Kin; chosen: readonly number[] }) {
  const { t } = useTranslation();
  const some = chosen.slice(-MOST_CHOSEN).flatMap((i) => kin.individuals[i] ?? []);
  const query = useQuery(
    coancestriesQuery(
      place,
      some.map(({ id }) => id),
    ),
  );
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return null;
  return <Matrix some={some} data={query.data} label={t('pedigree.coancestry')} />;
}

function Matrix(props: { some: readonly PedigreeIndividual[]; data: Coancestries; label: string }) {
  const { some, data } = props;
  return (
    <div className={classes.matrix}>
      <table>
        <caption>{props.label}</caption>
        <thead>
          <tr>
            <td />
            {some.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {some.map(({ id, name }, row) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {some.map((other, column) => (
                <td key={other.id}>{(data.values[row * some.length + column] ?? 0).toFixed(3)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
