import { CROSSING_OPTIONS } from '@heterosis/contracts/options/crossing';
import type { CrossingSimulationDetail } from '@heterosis/contracts/work/crossing-simulations';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/page/notice.tsx';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { FileField, PasteCrosses } from '../../data/files/index.ts';
import { MatchPanel } from '../matching/index.ts';
import { ModelField } from '../models/index.ts';
import {
  keptIn,
  LinkageMapField,
  LowTraitsField,
  OptionField,
  OptionFields,
  RunDialog,
  RunNameField,
  useRunSubmission,
  WithSource,
} from '../run-dialog/index.ts';
import { crossingSimulationRuns } from './crossing-simulations.api.ts';
import { crossingBody, type GivenInputs, useCrossingForm } from './use-crossing-form.ts';

/**
 * `id` names a crossing simulation that is run again with changes, or what the dialog begins with:
 * `table:<crossing table>:<model>:<genotype>`, the last two may be empty.
 */
export function CreateCrossingSimulationModal({ close, id }: ModalProps) {
  const [kind, tableId, modelId, genotypeId] = id?.split(':') ?? [];
  const given = kind === 'table' ? { tableId, modelId: modelId || undefined, genotypeId: genotypeId || undefined } : {};
  return (
    <WithSource runs={crossingSimulationRuns} close={close} id={kind === 'table' ? undefined : id}>
      {(projectId, source) => <SimulateCrosses projectId={projectId} close={close} source={source} given={given} />}
    </WithSource>
  );
}

function SimulateCrosses(props: {
  projectId: string;
  close: () => void;
  source: CrossingSimulationDetail | undefined;
  given: GivenInputs;
}) {
  const { projectId, close, source, given } = props;
  const { t } = useTranslation();
  const crossing = useCrossingForm(projectId, source, given);
  const { form, draft, traits, hasGenotypeOfModel, matchBody, renames, setRenames, missing } = crossing;
  const phasesFirst = crossing.unphased !== undefined;
  const isPolyploid = crossing.ploidy > 2;
  const submission = useRunSubmission(projectId, crossingSimulationRuns, { form, draft }, (values) => ({
    ...crossingBody(values, traits, crossing.ploidy),
    phase_first: phasesFirst,
  }));
  return (
    <RunDialog
      kind="crossing_simulation"
      help="crossing#start-a-simulation"
      close={close}
      submission={submission}
      submitLabel={phasesFirst ? t('crossing_simulations.phaseAndSimulate') : undefined}
      draft={draft}
      kept={keptIn(form)}
      missing={missing}
      files={
        <InputFields
          projectId={projectId}
          form={form}
          name={crossing.name}
          hasGenotypeOfModel={hasGenotypeOfModel}
          onOtherNames={() => setRenames([])}
        />
      }
      match={
        <MatchPanel
          projectId={projectId}
          body={matchBody}
          renames={renames}
          onRenames={setRenames}
          isMended={phasesFirst || (isPolyploid && form.values.phase === 'unknown')}
          title={t('crossing_simulations.matchTitle')}
          hint={t('crossing_simulations.matchHint')}
        />
      }
    >
      {isPolyploid && (
        <p className="hx-muted">
          {t(form.values.phase === 'unknown' ? 'crossing_simulations.withoutPhase' : 'crossing_simulations.polyploid')}
        </p>
      )}
      {crossing.unphased && <Unphased {...crossing.unphased} form={form} />}
      <OptionFields
        {...OPTIONS}
        form={form}
        first={['low_traits', 'bp_per_cm', 'map_function']}
        hints={form.values.map_function === 'kosambi' ? { progeny: t('crossing_simulations.progenyOfKosambi') } : {}}
        own={{
          ...(isPolyploid ? HIDDEN.polyploid : HIDDEN.diploid),
          ...(crossing.ploidy === 4 ? {} : HIDDEN.bivalents),
          low_traits: <LowTraitsField form={form} traits={traits} />,
          bp_per_cm: (
            <>
              <LinkageMapField projectId={projectId} form={form} />
              {form.values.linkage_map_id === undefined && <OptionField {...OPTIONS} name="bp_per_cm" form={form} />}
            </>
          ),
        }}
      />
    </RunDialog>
  );
}

/** Fields that do not concern the plants. */
const HIDDEN = {
  diploid: { phase: null, pairing: null, preferential: null, double_reduction: null },
  bivalents: { pairing: null, double_reduction: null },
  polyploid: { population: null, map_function: null },
};

const OPTIONS = { analysis: 'crossing_simulations', table: CROSSING_OPTIONS };

type Crossing = ReturnType<typeof useCrossingForm>;

/** Name, model, crossing table and genotype. */
function InputFields(
  props: Pick<Crossing, 'name' | 'form' | 'hasGenotypeOfModel'> & { projectId: string; onOtherNames: () => void },
) {
  const { projectId, form, name, hasGenotypeOfModel, onOtherNames } = props;
  const { t } = useTranslation();
  return (
    <>
      <RunNameField kind="crossing_simulation" input={form.getInputProps('name')} {...name} />
      <ModelField
        use="effects"
        projectId={projectId}
        value={form.values.model_id}
        onChange={({ id, name }) => form.setFieldValue('model_id', { id, name })}
        error={form.errors.model_id}
      />
      <FileField
        label={t('crossing_simulations.crossingTable')}
        projectId={projectId}
        types={['CROSSING_TABLE']}
        value={form.values.crossing_table_id}
        onChange={({ id, name }) => {
          form.setFieldValue('crossing_table_id', { id, name });
          onOtherNames();
        }}
        error={form.errors.crossing_table_id}
      />
      <PasteCrosses
        projectId={projectId}
        onMade={(table) => {
          form.setFieldValue('crossing_table_id', table);
          onOtherNames();
        }}
      />
      <FileField
        label={t('crossing_simulations.genotype')}
        projectId={projectId}
        types={['GENOTYPE']}
        value={form.values.genotype_id}
        onChange={({ id, name }) => {
          form.setFieldValue('genotype_id', { id, name });
          onOtherNames();
        }}
        onClear={() => {
          form.setFieldValue('genotype_id', undefined);
          onOtherNames();
        }}
        emptyText={hasGenotypeOfModel ? t('predictions.genotypeOfModel') : undefined}
        error={form.errors.genotype_id}
      />
    </>
  );
}

/** Names the parents without phase while the genotype is chosen: it is phased first, unless another one is taken. */
function Unphased(props: {
  form: Crossing['form'];
  unphased: string[];
  phased_sibling: { id: string; name: string } | null;
}) {
  const { form, phased_sibling: sibling } = props;
  const { t } = useTranslation();
  return (
    <Notice kind="info">
      {t('crossing_simulations.unphased', { count: props.unphased.length })} {t('crossing_simulations.phaseFirst')}{' '}
      {sibling && (
        <Button size="compact-xs" variant="default" onClick={() => form.setFieldValue('genotype_id', sibling)}>
          {t('crossing_simulations.useSibling', { name: sibling.name })}
        </Button>
      )}
    </Notice>
  );
}
