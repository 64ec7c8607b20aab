import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { Button, CopyButton, Group, Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/page/section.tsx';
import { ProvenanceSection, type RunPartProps } from '../runs/index.ts';
import { CovariateNote } from './covariate-note.tsx';
import classes from './gwas-trait-result.module.css';
import { GwasTraitResult } from './gwas-trait-result.tsx';
import { ResultSelect } from './result-select.tsx';
import { StackedManhattans } from './stacked-manhattans.tsx';
import { useGwasTrait } from './use-gwas-trait.ts';

/** The results of one trait at a time, how they were made, and where they come from. */
export function GwasResults({ projectId, run: gwas }: RunPartProps<GwasDetail>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { all } = useSearch({ strict: false }) as { all?: string };
  const { finished, trait } = useGwasTrait(gwas);
  const chooseTrait = (next: string): void =>
    void navigate({
      to: '.',
      // The chosen marker stays: its effect on another trait is what one wants to see next.
      search: (previous) => ({ ...previous, trait: next }),
      resetScroll: false,
    });
  const several = gwas.gene_action.length === 0 ? 'gwas.allTraits' : 'gwas.action.all';
  const showAll = (isShown: boolean): void =>
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, all: isShown ? '1' : undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      {trait !== undefined && (
        <>
          <Group gap="md">
            <ResultSelect gwas={gwas} finished={finished} value={trait} onChange={chooseTrait} />
            {finished.length > 1 && (
              <Switch
                size="xs"
                label={t(several)}
                checked={all !== undefined}
                onChange={(event) => showAll(event.currentTarget.checked)}
              />
            )}
          </Group>
          {all !== undefined && finished.length > 1 && (
            <StackedManhattans
              projectId={projectId}
              title={t(several)}
              fileName={`${gwas.name} all traits`}
              plots={finished.map((one) => ({ gwas, trait: one, name: one }))}
            />
          )}
          <CovariateNote gwas={gwas} trait={trait} />
          <GwasTraitResult key={trait} projectId={projectId} gwas={gwas} trait={trait} />
          <Section
            title={t('gwas.methods')}
            action={
              <CopyButton value={gwas.methods}>
                {({ copied, copy }) => (
                  <Button size="xs" variant="default" onClick={copy}>
                    {copied ? t('word.copied') : t('gwas.copyMethods')}
                  </Button>
                )}
              </CopyButton>
            }
          >
            <p className={classes.methods}>{gwas.methods}</p>
          </Section>
        </>
      )}
      <ProvenanceSection kind="gwas" provenance={gwas.provenance} />
    </>
  );
}
