import { type Paper, paper as papers } from '@heterosis/contracts/common';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** On which paper a PDF is to be printed. */
export function PaperSelect(props: { paper: Paper; onChange: (paper: Paper) => void; isInline?: boolean }) {
  const { paper, onChange, isInline = false } = props;
  const { t } = useTranslation();
  return (
    <NativeSelect
      {...(isInline ? { 'aria-label': t('print.paper') } : { label: t('print.paper'), 'data-autofocus': true })}
      data={papers.options.map((value) => ({ value, label: t(`print.papers.${value}`) }))}
      value={paper}
      onChange={({ currentTarget: { value } }) => onChange(papers.parse(value))}
    />
  );
}
