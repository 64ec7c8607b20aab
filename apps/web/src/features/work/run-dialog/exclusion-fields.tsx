import { EXCLUSION_OPTIONS } from '@heterosis/contracts/options/exclusions';
import { Checkbox, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import columns from '../../../components/form/form-columns.module.css';
import { NumberField } from '../../../components/form/number-field.tsx';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { namesIn } from '../../../lib/format/names-in.ts';
import { fileQcQuery } from '../../data/files/index.ts';
import { TakeFromList } from '../../data/lists/index.ts';
import classes from './exclusion-fields.module.css';
import {
  type ExclusionValues,
  exclusionsBody,
  exclusionValues,
  limitError,
  PRUNING,
  WINDOW,
  windowError,
} from './exclusions.ts';
import { limitsOf } from './option-values.ts';

/** The hint under the field, so that fields beside each other stand at one height. */
const WRAPPER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** What takes no part in a run, folded until somebody wants it: names, and rules with their limits. */
export function ExclusionFields(props: {
  projectId: string;
  /** The genotype of the run: its check says how many duplicates there are. */
  genotypeId: string | undefined;
  /** What the form says of them. */
  input: { value?: ExclusionValues; onChange: (values: ExclusionValues) => void; error?: ReactNode };
  /** False where the markers are those of a model. */
  hasMarkers?: boolean;
}) {
  const { hasMarkers = true } = props;
  const { value: values = exclusionValues(), onChange, error } = props.input;
  const { t } = useTranslation();
  const textOf = useOptionText('exclusions', EXCLUSION_OPTIONS);
  const asked = Object.keys(exclusionsBody(values).exclusions ?? {}).length;
  const [isOpen, setOpen] = useState(asked > 0);
  const set = (change: Partial<ExclusionValues>): void => onChange({ ...values, ...change });
  const list = (name: 'samples' | 'only_samples' | 'markers') => (
    <div>
      <NameList label={textOf(name, 'label')} value={values[name]} onChange={(text) => set({ [name]: text })} />
      <TakeFromList
        projectId={props.projectId}
        kind={name === 'markers' ? 'markers' : 'germplasm'}
        label={textOf(name, 'label')}
        onTake={(names) => set({ [name]: [...new Set([...namesIn(values[name]), ...names])].join('\n') })}
      />
    </div>
  );
  return (
    <details
      className={columns.folded}
      open={isOpen || Boolean(error)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {t('word.leaveOut')} <span className="hx-muted">{t('exclusions.asked', { count: asked })}</span>
      </summary>
      <div className={columns.fields}>
        <p className={classes.hint}>{t('exclusions.hint')}</p>
        {error && (
          <p className={classes.error} role="alert">
            {error}
          </p>
        )}
        <div className={columns.pair}>
          {list('samples')}
          {list('only_samples')}
        </div>
        {hasMarkers && list('markers')}
        <div className={columns.pair}>
          {(['min_sample_call_rate', 'max_sample_heterozygosity'] as const).map((name) => (
            <NumberField
              key={name}
              label={textOf(name, 'label')}
              placeholder={t('exclusions.noLimit')}
              limits={limitsOf(EXCLUSION_OPTIONS[name])}
              step={EXCLUSION_OPTIONS[name].step}
              value={values[name]}
              onChange={(limit) => set({ [name]: limit })}
              error={limitError(t, values[name])}
            />
          ))}
        </div>
        <Checkbox
          label={textOf('duplicates', 'label')}
          description={<Duplicates projectId={props.projectId} genotypeId={props.genotypeId} />}
          checked={values.duplicates}
          onChange={(event) => set({ duplicates: event.currentTarget.checked })}
        />
        {hasMarkers && (
          <div className={columns.pair}>
            <NumberField
              label={textOf('ld_pruning', 'label')}
              description={textOf('ld_pruning', 'hint')}
              inputWrapperOrder={WRAPPER}
              placeholder={t('exclusions.noPruning')}
              limits={PRUNING}
              step={0.05}
              startValue={0.95}
              value={values.prune_r2}
              onChange={(limit) => set({ prune_r2: limit })}
              error={limitError(t, values.prune_r2)}
            />
            <NumberField
              label={t('exclusions.pruneWindow')}
              disabled={values.prune_r2 === '' || values.windows.window_kb !== undefined}
              limits={WINDOW}
              value={values.prune_window}
              onChange={(window) => set({ prune_window: window })}
              error={windowError(t, values)}
            />
          </div>
        )}
      </div>
    </details>
  );
}

function NameList({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const count = namesIn(value).length;
  return (
    <Textarea
      label={label}
      description={count === 0 ? t('exclusions.nameALine') : t('exclusions.names', { count })}
      autosize
      minRows={2}
      maxRows={6}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** What the check of the genotype says of duplicates. */
function Duplicates({ projectId, genotypeId }: { projectId: string; genotypeId: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const textOf = useOptionText('exclusions', EXCLUSION_OPTIONS);
  const qc = useQuery({ ...fileQcQuery(projectId, genotypeId ?? ''), enabled: genotypeId !== undefined }).data;
  if (qc?.kind !== 'genotype') return textOf('duplicates', 'hint');
  const pairs = qc.duplicate_search?.pairs ?? qc.duplicates.length;
  return t('exclusions.duplicatesFound', { count: pairs, pairs: formatCount(pairs) });
}
