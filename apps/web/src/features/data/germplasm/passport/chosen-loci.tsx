import type { Passport, PassportChosenLocus, PassportChosenMarker } from '@heterosis/contracts/data/passports';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../../components/table/data-table.tsx';
import { formatCount, formatStatistic } from '../../../../lib/format/format.ts';
import { useMayWrite } from '../../../people/projects/index.ts';
import { filesQuery } from '../../files/index.ts';
import { ChooseLociDialog } from './choose-loci-dialog.tsx';
import classes from './passport.module.css';
import { useUnits } from './passport-parts.tsx';

type Has = 'all' | 'some' | 'none' | 'mixed';
const SIGNS: Readonly<Record<Has, string>> = { all: '▲', some: '△', none: '▽', mixed: '◇' };
/** Effects written out of a locus; regions have many. */
const WRITTEN = 2;

/** How much of the wanted allele a genotype has; undefined where nothing is known of the marker, or it has no call. */
function hasOf({ genotype, effects }: PassportChosenMarker): Has | undefined {
  const [first] = effects;
  if (genotype === null || first === undefined) return undefined;
  if (effects.some(({ favourable }) => favourable !== first.favourable)) return 'mixed';
  const alleles = genotype.split('/');
  const copies = alleles.filter((allele) => allele === first.favourable).length;
  return copies === alleles.length ? 'all' : copies === 0 ? 'none' : 'some';
}

/** Equal alleles are written once: `A`, not `A/A`. */
const inShort = (genotype: string | null): string => {
  if (genotype === null) return '–';
  const alleles = new Set(genotype.split('/'));
  return alleles.size === 1 ? ([...alleles][0] ?? '–') : genotype;
};

/** The alleles of a line at the markers of a locus, one after another, with the wanted ones marked. */
export function Alleles({ locus }: { locus: PassportChosenLocus }) {
  const { t } = useTranslation();
  return (
    <span className={classes.alleles}>
      {locus.markers.map((marker) => {
        const has = hasOf(marker);
        const wanted = marker.effects.map(({ favourable: allele, trait }) =>
          t('passport.chosen.wantedHere', { allele, trait }),
        );
        return (
          <span key={marker.marker} data-has={has} title={[marker.marker, ...wanted].join('; ')}>
            {inShort(marker.genotype)}
            {has && (
              <>
                <span aria-hidden="true">{SIGNS[has]}</span>
                <span className="hx-visually-hidden">{t(`passport.chosen.has.${has}`)}</span>
              </>
            )}
          </span>
        );
      })}
    </span>
  );
}

/** What a line has at the loci that the project chose, and the way to choose them. */
export function ChosenLociSection(props: { projectId: string; name: string; chosen: Passport['chosen'] }) {
  const { projectId, name, chosen } = props;
  const { t } = useTranslation();
  const unitOf = useUnits(projectId);
  const mayWrite = useMayWrite(projectId);
  const genotypes = useQuery({ ...filesQuery(projectId, { types: ['GENOTYPE'] }), enabled: chosen === null }).data;
  const [isChoosing, setChoosing] = useState(false);
  if (chosen === null && !(mayWrite && genotypes?.length)) return null;
  const columns: DataColumn<PassportChosenLocus>[] = [
    {
      ...{ id: 'locus', header: t('passport.locus'), width: 220 },
      value: ({ locus }) => locus,
      cell: ({ locus, markers }) => (
        <>
          {locus}
          {markers.length > 1 && (
            <span className="hx-muted"> {t('passport.chosen.markers', { count: markers.length })}</span>
          )}
        </>
      ),
    },
    {
      ...{ id: 'alleles', header: t('passport.chosen.calls') },
      value: ({ markers }) => markers.map(({ genotype }) => inShort(genotype)).join(' '),
      cell: (locus) => <Alleles locus={locus} />,
    },
    {
      ...{ id: 'wanted', header: t('passport.chosen.wanted') },
      value: (locus) => wantedOf(locus).length,
      cell: (locus) => {
        const all = wantedOf(locus);
        return (
          <>
            {all.slice(0, WRITTEN).map(({ marker, favourable: allele, trait, effect, run, kind }) => (
              <span key={`${marker} ${trait}`} className={classes.effect} title={run.name}>
                {t('passport.chosen.wantedOf', {
                  ...{ allele, trait, effect: [formatStatistic(effect), unitOf(trait)].filter(Boolean).join(' ') },
                  kind: kind === 'gwas' ? 'GWAS' : t('kind.model'),
                })}
              </span>
            ))}
            {all.length > WRITTEN && (
              <span className="hx-muted">{t('passport.chosen.more', { count: all.length - WRITTEN })}</span>
            )}
            {all.length === 0 && '–'}
          </>
        );
      },
    },
    {
      ...{ id: 'alike', header: t('passport.chosen.alike') },
      ...{ numeric: true, width: 130 },
      value: ({ alike }) => alike,
      cell: ({ alike }) =>
        alike === null
          ? '–'
          : t('passport.chosen.alikeOf', {
              ...{ alike: formatCount(alike), others: formatCount((chosen?.panel ?? 1) - 1) },
            }),
    },
  ];
  return (
    <Section
      title={t('passport.chosen.title')}
      action={
        mayWrite && (
          <Button size="compact-sm" variant="default" onClick={() => setChoosing(true)}>
            {t('passport.chosen.choose')}
          </Button>
        )
      }
      note={
        chosen === null
          ? t('passport.chosen.none')
          : chosen.individual === null
            ? t('passport.chosen.notTyped', { name, file: chosen.genotype.name })
            : t('passport.chosen.note', { file: chosen.genotype.name })
      }
    >
      {chosen !== null && chosen.individual !== null && (
        <DataTable
          id="passport-chosen-loci"
          label={t('passport.chosen.title')}
          columns={columns}
          rows={[...chosen.loci]}
          rowId={({ locus }) => locus}
          hasTools={chosen.loci.length > 10}
        />
      )}
      {isChoosing && <ChooseLociDialog projectId={projectId} onClose={() => setChoosing(false)} />}
    </Section>
  );
}

const wantedOf = ({ markers }: PassportChosenLocus) =>
  markers.flatMap(({ marker, effects }) => effects.map((effect) => ({ marker, ...effect })));

/** The same beside a table. */
export function ChosenLociTable({ chosen }: { chosen: NonNullable<Passport['chosen']> }) {
  const { t } = useTranslation();
  if (chosen.individual === null) return null;
  return (
    <table className={classes.small} aria-label={t('passport.chosen.title')}>
      <thead>
        <tr>
          <th scope="col">{t('passport.chosen.title')}</th>
          <th scope="col">{t('passport.chosen.calls')}</th>
        </tr>
      </thead>
      <tbody>
        {chosen.loci.map((locus) => (
          <tr key={locus.locus}>
            <th scope="row">{locus.locus}</th>
            <td>
              <Alleles locus={locus} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
