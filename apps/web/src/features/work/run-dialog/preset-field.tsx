import type { Options } from '@heterosis/contracts/options/define-options';
import type { Presets } from '@heterosis/contracts/options/presets';
import { Input, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOptionText } from '../../../lib/form/use-option-text.ts';
import { BEGUN, differingFrom, presetOf, presetValues } from './presets.ts';

type Values = Readonly<Record<string, unknown>>;

/** Presets of the options below: which one holds, what it changes, what differs from the one chosen last. */
export function PresetField<Table extends Options>(props: {
  /** Names the table in translations. */
  analysis: string;
  table: Table;
  presets: Presets;
  /** Values that the dialog begins with. */
  begun: Values;
  /** They are those of a run that is repeated. */
  isRepeated: boolean;
  values: Values;
  onChoose: (values: Values) => void;
}) {
  const { analysis, table, presets, begun, isRepeated, values, onChoose } = props;
  const { t, i18n } = useTranslation();
  const textOf = useOptionText(analysis, table);
  const all = presetValues(table, presets, begun);
  const [chosen, setChosen] = useState(presetOf(all, values) ?? BEGUN);
  const changed = differingFrom(all[chosen] ?? {}, values);
  // Two presets may have the same values: a run that is repeated may have been a quick look.
  const held = changed.length === 0 ? chosen : presetOf(all, values);
  const ofPreset = (name: string, part: 'label' | 'about'): string => {
    if (name === BEGUN) return t(`presets.${isRepeated ? 'asItWas' : 'usual'}.${part}`);
    const path = `options.${analysis}.presets.${name}.${part}`;
    return i18n.exists(path) ? String(t(path as 'gwas.create')) : (presets[name]?.[part] ?? '');
  };
  const options = changed.map((name) => textOf(name, 'label')).join(', ');
  return (
    <Input.Wrapper
      label={t('presets.label')}
      description={
        <span aria-live="polite">
          {held === undefined
            ? t('presets.changed', { preset: ofPreset(chosen, 'label'), options })
            : ofPreset(held, 'about')}
        </span>
      }
      inputWrapperOrder={['label', 'input', 'description']}
      labelElement="div"
    >
      <SegmentedControl
        fullWidth
        aria-label={t('presets.label')}
        data={inOrder(Object.keys(presets)).map((name) => ({ value: name, label: ofPreset(name, 'label') }))}
        value={held ?? ''}
        onChange={(name) => {
          setChosen(name);
          onChoose(all[name] ?? {});
        }}
      />
    </Input.Wrapper>
  );
}

/** From the fastest to the most thorough, with the usual values after the first. */
const inOrder = ([first = BEGUN, ...others]: string[]): string[] => [first, BEGUN, ...others];
