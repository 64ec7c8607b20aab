import { SegmentedControl, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const SEGMENTS_UP_TO = 4;

/** Which trait the results below are of; nothing when there is only one. */
export function TraitSelect({
  traits,
  value,
  onChange,
}: {
  traits: readonly string[];
  value: string;
  onChange: (trait: string) => void;
}) {
  const { t } = useTranslation();
  if (traits.length < 2) return null;
  if (traits.length <= SEGMENTS_UP_TO && traits.join('').length < 50) {
    return (
      <SegmentedControl
        aria-label={t('word.trait')}
        size="xs"
        data={[...traits]}
        value={value}
        onChange={onChange}
        style={{ alignSelf: 'flex-start' }}
      />
    );
  }
  return (
    <Select
      aria-label={t('word.trait')}
      size="xs"
      data={[...traits]}
      value={value}
      searchable
      allowDeselect={false}
      onChange={(trait) => trait && onChange(trait)}
      w={260}
    />
  );
}
