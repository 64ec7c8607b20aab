import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isNotFound } from '../../lib/api/problem.ts';
import { ErrorNotice } from '../page/error-notice.tsx';
import { SkeletonLines } from '../page/loading.tsx';
import { ModalFrame } from './modal-frame.tsx';

/** A dialog that changes something: it is read first, then `children` shows the form with its present values. */
export function EditDialog<Thing>(props: {
  title: string;
  close: () => void;
  query: Pick<UseQueryResult<Thing>, 'data' | 'error'>;
  size?: 'sm' | 'md' | 'lg' | 'xl' | string;
  /** Placeholder lines while reading: about as many as the form has fields. */
  lines?: number;
  children: (thing: NonNullable<Thing>) => ReactNode;
}) {
  const { title, close, query, size, lines, children } = props;
  const { data, error } = query;
  return (
    <ModalFrame title={title} onClose={close} {...(size === undefined ? {} : { size })}>
      {error && <ErrorNotice error={error} />}
      {!data && !error && <SkeletonLines {...(lines === undefined ? {} : { lines })} />}
      {data && !isNotFound(error) && children(data)}
    </ModalFrame>
  );
}
