import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { helpSearchQuery } from './help.api.ts';
import classes from './help-page.module.css';

/** Searches all documents while one types. Escape clears it. */
export function HelpSearch() {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const { data: search, error } = useQuery({ ...helpSearchQuery, enabled: wanted !== '' });
  const hits = wanted === '' || search === undefined ? undefined : search(wanted);
  return (
    <search className={classes.search}>
      <TextInput
        type="search"
        label={t('help.search')}
        placeholder={t('help.searchPlaceholder')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
      />
      <div aria-live="polite">
        {error && <p>{t('help.searchFailed')}</p>}
        {hits?.length === 0 && <p>{t('help.noHits', { text: wanted })}</p>}
        {hits !== undefined && hits.length > 0 && (
          <ul className={classes.hits}>
            {hits.map((hit) => {
              const [page = '', hash] = hit.id.split('#');
              return (
                <li key={hit.id}>
                  <Link
                    to="/help/$page"
                    params={{ page }}
                    {...(hash === undefined ? {} : { hash })}
                    onClick={() => setText('')}
                  >
                    {hit.title}
                    <small>{hit.page}</small>
                  </Link>
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </search>
  );
}
