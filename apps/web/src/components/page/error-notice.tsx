import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../lib/api/problem.ts';
import { HelpLink } from './help-link.tsx';
import classes from './notice.module.css';

/** Answers that asking again does not change. */
const FINAL = new Set([400, 403, 404, 410]);

/** A failure in place: what happened, what to do, the code and request id for whoever can help, and a way out. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { t, i18n } = useTranslation();
  const problem = asProblem(error);
  const adviceKey = `advice.${problem.code}`;
  return (
    <div role="alert" className={classes.notice} data-kind="error">
      <p className={classes.sentence}>{problem.detail || problem.title}</p>
      {i18n.exists(adviceKey) && <p>{t(adviceKey as 'error.retry')}</p>}
      {problem.invalidParams.length > 0 && (
        <ul>
          {problem.invalidParams.map((param) => (
            <li key={param.name}>
              <span className="hx-mono">{param.name}</span>: {param.reason}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.foot}>
        <span className={classes.code}>
          {problem.code.startsWith('client/') ? (
            problem.code
          ) : (
            <HelpLink topic={`problems#${problem.code}`}>{problem.code}</HelpLink>
          )}
          {problem.requestId && ` · ${t('error.requestId', { id: problem.requestId })}`}
        </span>
        {onRetry && !FINAL.has(problem.status) && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('error.retry')}
          </Button>
        )}
      </div>
    </div>
  );
}
