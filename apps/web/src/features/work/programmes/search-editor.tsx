import type { ProgrammeScheme } from '@heterosis/contracts/work/programmes/programme-schemes';
import { Checkbox, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../components/form/number-field.tsx';
import { Section } from '../../../components/page/section.tsx';
import type { FieldNumber } from '../../../lib/form/field-number.ts';
import classes from './scheme-editor.module.css';
import { numberName } from './scheme-pipeline.tsx';
import { gainsOf, measuredStages, movableNumbers, proposedSearch, type SearchValues } from './search-form.ts';
import { type ProgrammeForm, SEARCH_LIMITS } from './use-programme-form.ts';
import { useQuantityName } from './use-quantity-name.ts';

/** Whether the numbers of the only scheme are searched, and between which bounds they move. */
export function SearchEditor({ programme }: { programme: ProgrammeForm }) {
  const { t } = useTranslation();
  const { form, movable } = programme;
  const { search, schemes } = form.values;
  const [scheme] = schemes;
  if (scheme === undefined || schemes.length > 1) return null;
  const set = (next: Partial<SearchValues>): void =>
    form.setFieldValue('search', search === null ? null : { ...search, ...next });
  return (
    <Section title={t('programmes.search')} note={t('programmes.searchNote')}>
      <div className={classes.editor}>
        <Checkbox
          label={t('programmes.searchOn')}
          checked={search !== null}
          onChange={({ currentTarget }) =>
            form.setFieldValue(
              'search',
              currentTarget.checked
                ? proposedSearch(
                    scheme,
                    movableNumbers(scheme, (field) => numberName(t, field)),
                  )
                : null,
            )
          }
        />
        {search !== null && (
          <>
            <Wanted scheme={scheme} search={search} onChange={set} />
            {movable.map(({ key, name, number }) => {
              const { min = '', max = '' } = search.bounds[key] ?? {};
              const change = (one: { min?: FieldNumber; max?: FieldNumber }) =>
                set({ bounds: { ...search.bounds, [key]: { min, max, ...one } } });
              const limits = { min: number.min, max: number.max, isWhole: number.isWhole };
              return (
                <div key={key} className={classes.bounds} role="group" aria-label={name}>
                  <NumberField
                    label={t('programmes.atLeast', { name, value: number.value })}
                    limits={limits}
                    startValue={number.value}
                    value={min}
                    onChange={(value) => change({ min: value })}
                  />
                  <NumberField
                    label={t('programmes.atMost')}
                    limits={limits}
                    startValue={number.value}
                    value={max}
                    onChange={(value) => change({ max: value })}
                  />
                </div>
              );
            })}
          </>
        )}
      </div>
    </Section>
  );
}

function Wanted(props: {
  scheme: ProgrammeScheme;
  search: SearchValues;
  onChange: (next: Partial<SearchValues>) => void;
}) {
  const { scheme, search, onChange } = props;
  const { t } = useTranslation();
  const nameOf = useQuantityName();
  const gains = gainsOf(scheme, search.stage);
  return (
    <div className={classes.tools}>
      <NativeSelect
        label={t('programmes.stage')}
        data={measuredStages(scheme)}
        value={search.stage}
        onChange={({ currentTarget: { value: stage } }) => {
          const offered = gainsOf(scheme, stage);
          onChange({ stage, quantity: offered.includes(search.quantity) ? search.quantity : (offered[0] ?? '') });
        }}
      />
      <NativeSelect
        label={t('programmes.quantity')}
        data={gains.map((value) => ({ value, label: nameOf(value) }))}
        value={search.quantity}
        onChange={({ currentTarget }) => onChange({ quantity: currentTarget.value })}
      />
      <NumberField
        label={t('programmes.evaluations')}
        limits={SEARCH_LIMITS.evaluations}
        step={20}
        value={search.evaluations}
        onChange={(evaluations) => onChange({ evaluations })}
      />
      <NumberField
        label={t('programmes.replicatesEach')}
        limits={SEARCH_LIMITS.replicates}
        value={search.replicates}
        onChange={(replicates) => onChange({ replicates })}
      />
      <Checkbox
        label={t('programmes.withDiversity')}
        checked={search.diversity}
        onChange={({ currentTarget }) => onChange({ diversity: currentTarget.checked })}
      />
    </div>
  );
}
