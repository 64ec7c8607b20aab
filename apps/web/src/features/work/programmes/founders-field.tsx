import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import columns from '../../../components/form/form-columns.module.css';
import { PasteCells } from '../../../components/form/paste-cells.tsx';
import { showToast } from '../../../lib/browser/toast.ts';
import { formatCount } from '../../../lib/format/format.ts';
import { namesIn } from '../../../lib/format/names-in.ts';
import { TakeFromList } from '../../data/lists/index.ts';

/** Which lines of the genotype are founders: all, or those of a list or of copied cells. */
export function FoundersField(props: {
  projectId: string;
  /** Names in the genotype. */
  known: readonly string[];
  /** Null for all. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
}) {
  const { projectId, known, value, onChange } = props;
  const { t } = useTranslation();
  const label = t('programmes.chosenFounders');
  const take = (names: readonly string[]): void => {
    const wanted = new Set(names);
    const found = known.filter((name) => wanted.has(name));
    const missing = wanted.size - found.length;
    if (found.length === 0) return showToast({ text: t('programmes.noFounderThere'), isError: true });
    if (missing > 0) showToast({ text: t('programmes.foundersMissing', { count: missing }) });
    onChange(found);
  };
  // Folded, so that nothing moves while names and lists are read.
  return (
    <details className={columns.folded}>
      <summary>
        {label}{' '}
        <span className="hx-muted">
          {value === null
            ? t('programmes.allFounders', { count: known.length, formatted: formatCount(known.length) })
            : t('programmes.someFounders', { some: formatCount(value.length), all: formatCount(known.length) })}
        </span>
      </summary>
      <div className={columns.fields}>
        {value !== null && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(null)}>
            {t('crossing_plans.takeEveryone')}
          </Button>
        )}
        <TakeFromList projectId={projectId} kind="germplasm" label={label} onTake={take} />
        <PasteCells
          label={t('paste.lines')}
          description={t('paste.linesHint')}
          submitLabel={t('paste.takeLines')}
          refuse={(text) => (namesIn(text).length < 1 ? t('lists.needNames') : undefined)}
          onTake={(text) => take(namesIn(text))}
        />
      </div>
    </details>
  );
}
