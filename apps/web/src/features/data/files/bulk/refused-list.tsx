import { useTranslation } from 'react-i18next';
import { Notice } from '../../../../components/page/notice.tsx';

/** What stayed as it was, and why, while the rest was done. */
export function RefusedList({ done, refused }: { done: number; refused: readonly { name: string; reason: string }[] }) {
  const { t } = useTranslation();
  if (refused.length === 0) return null;
  return (
    <Notice kind="warning">
      <p>{t('files.bulk.refused', { done, count: done + refused.length })}</p>
      <ul>
        {refused.map(({ name, reason }) => (
          <li key={name}>
            {name}: {reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
