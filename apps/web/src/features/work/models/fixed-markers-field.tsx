import { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import type { Gwas } from '@heterosis/contracts/work/gwas';
import { NativeSelect, TagsInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { runsOf, stateByTrait } from '../runs/index.ts';

const MOST = MODEL_OPTIONS.fixed_markers.most;
const gwasRuns = runsOf('gwas', gwasApi, stateByTrait);

interface Hits {
  gwas: Gwas;
  trait: string;
  count: number;
}

/** Traits of GWAS of a genotype whose hits were put together, the newest first. */
const hitsOf = (runs: readonly Gwas[], genotypeId: string | undefined): Hits[] =>
  runs
    .filter((gwas) => gwas.genotype_id === genotypeId)
    .flatMap((gwas) =>
      gwas.traits.flatMap((trait) => {
        const count = gwas.summary[trait]?.clumps ?? 0;
        return count === 0 ? [] : [{ gwas, trait, count: Math.min(count, MOST) }];
      }),
    );

/** Markers with fixed effects: typed, pasted, or the strongest of each clump of hits of a GWAS. */
export function FixedMarkersField(props: {
  projectId: string;
  genotypeId: string | undefined;
  value: string[];
  isDisabled: boolean;
  error: ReactNode;
  onChange: (markers: string[]) => void;
}) {
  const { projectId, genotypeId, value, isDisabled, error, onChange } = props;
  const { t } = useTranslation();
  const textOf = useOptionText('models', MODEL_OPTIONS);
  const hits = hitsOf(useQuery(gwasRuns.list(projectId)).data ?? [], genotypeId);
  const take = useMutation({
    mutationFn: async ({ gwas, trait }: Hits) => {
      const found = await call(gwasApi.getClumps, { project_id: projectId, id: gwas.id, query: { trait } });
      return found.data.map(({ id }) => id);
    },
    onSuccess: (markers) => onChange([...new Set([...value, ...markers])].slice(0, MOST)),
  });
  return (
    <div>
      <TagsInput
        label={textOf('fixed_markers', 'label')}
        description={isDisabled ? t('models.noFixedMarkers') : textOf('fixed_markers', 'hint')}
        placeholder={value.length === 0 ? t('models.typeMarkers') : undefined}
        splitChars={[',', ';', '\n', '\t']}
        acceptValueOnBlur
        clearable
        maxTags={MOST}
        value={value}
        disabled={isDisabled}
        onChange={onChange}
        error={error}
      />
      {hits.length > 0 && !isDisabled && (
        <NativeSelect
          mt={6}
          aria-label={t('models.takeHits')}
          disabled={take.isPending}
          value=""
          data={[
            { value: '', label: t('models.takeHits') },
            ...hits.map(({ gwas, trait, count }, place) => ({
              value: String(place),
              label: t('models.hitsOfGwas', { name: gwas.name, trait, count }),
            })),
          ]}
          onChange={({ currentTarget }) => {
            const chosen = hits[Number(currentTarget.value)];
            if (currentTarget.value !== '' && chosen !== undefined) take.mutate(chosen);
          }}
        />
      )}
      {take.error && <ErrorNotice error={take.error} />}
    </div>
  );
}
