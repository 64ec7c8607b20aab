import { TEMPLATES, type TemplateKind } from '@heterosis/contracts/data/templates';
import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { downloadText } from '../../lib/browser/download.ts';
import { IconDownload } from '../icons.tsx';

/** Downloads an example of a kind of file. */
export function TemplateLink({ kind }: { kind: TemplateKind }) {
  const { t } = useTranslation();
  const { fileName, text } = TEMPLATES[kind];
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => downloadText(fileName, text)}>
      <IconDownload size={14} aria-hidden="true" style={{ verticalAlign: '-2px', marginRight: 4 }} />
      {t(`template.${kind}`)}
    </Anchor>
  );
}
