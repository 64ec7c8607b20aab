import { useComputedColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** What a page shows once it is not empty: pictures of 1280 × 800 pixels, and what they show. */
export interface ExamplePicture {
  light: string;
  dark: string;
  caption: string;
}

/** What belongs here and the first step, beside what it will look like. */
export function EmptyState(props: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  example?: ExamplePicture | undefined;
}) {
  const { title, children, action, example } = props;
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <div className={classes.empty}>
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {children && <div className={classes.text}>{children}</div>}
        {action && <div className={classes.action}>{action}</div>}
      </div>
      {example && (
        <figure className={classes.example}>
          <img
            src={isDark ? example.dark : example.light}
            alt=""
            width={1280}
            height={800}
            loading="lazy"
            decoding="async"
          />
          <figcaption>{example.caption}</figcaption>
        </figure>
      )}
    </div>
  );
}
