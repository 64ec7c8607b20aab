import { useComputedColorScheme } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './healing-figure.module.css';
import askedDark from './pictures/healing-asked.dark.webp';
import asked from './pictures/healing-asked.webp';
import brokenDark from './pictures/healing-broken.dark.webp';
import broken from './pictures/healing-broken.webp';
import readyDark from './pictures/healing-ready.dark.webp';
import ready from './pictures/healing-ready.webp';

/** Screens of the product, one after the other; see scripts/healing-pictures.mjs. */
const FRAMES = [
  { frame: 'broken', light: broken, dark: brokenDark },
  { frame: 'asked', light: asked, dark: askedDark },
  { frame: 'ready', light: ready, dark: readyDark },
] as const;
/** It plays once, within the five seconds after which a movement needs a way to stop it (WCAG 2.2.2). */
const FRAME_MS = 2_200;

/** A messy table on its way into the product: plays once when it is seen, and then by hand. */
export function HealingFigure() {
  const { t } = useTranslation();
  const isDark = useComputedColorScheme('light') === 'dark';
  const isStill = useReducedMotion();
  const place = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(0);
  const [isPlaying, setPlaying] = useState(false);

  useEffect(() => {
    const element = place.current;
    if (!element || isStill) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        setPlaying(true);
      },
      { threshold: 0.6 },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isStill]);

  useEffect(() => {
    if (!isPlaying || shown === FRAMES.length - 1) return undefined;
    const timer = setTimeout(() => setShown(shown + 1), FRAME_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, shown]);

  return (
    <div className={classes.healing} ref={place}>
      <div>
        <h2>{t('home.healing.title')}</h2>
        <ol className={classes.steps}>
          {FRAMES.map(({ frame }, index) => (
            <li key={frame}>
              <button
                type="button"
                className={classes.step}
                aria-pressed={shown === index}
                onClick={() => {
                  setPlaying(false);
                  setShown(index);
                }}
              >
                <strong>{t(`home.healing.${frame}.title`)}</strong>
                <span>{t(`home.healing.${frame}.text`)}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      <div className={classes.frames}>
        {FRAMES.map(({ frame, ...pictures }, index) => (
          <img
            key={frame}
            src={isDark ? pictures.dark : pictures.light}
            alt={t(`home.healing.${frame}.picture`)}
            className={classes.frame}
            data-shown={shown === index || undefined}
            aria-hidden={shown !== index}
            width={960}
            height={540}
            loading="lazy"
            decoding="async"
          />
        ))}
      </div>
    </div>
  );
}
