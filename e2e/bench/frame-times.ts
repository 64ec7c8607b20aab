import type { Page } from '@playwright/test';

const FRAMES = 200;

/** Times between frames while something is done in each of them. */
export function frameTimes(page: Page, what: 'move' | 'zoom'): Promise<number[]> {
  return page.evaluate(
    async ([kind, count]) => {
      const map = document.querySelector<HTMLCanvasElement>('canvas[data-field-map]');
      if (!map) throw new Error('There is no map');
      const box = map.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const times: number[] = [];
      const pointer = (type: string, dx: number): void => {
        const init = { bubbles: true, button: 0, pointerId: 1, shiftKey: true, clientX: x + dx, clientY: y + dx / 2 };
        map.dispatchEvent(new PointerEvent(type, init));
      };
      map.setPointerCapture = () => undefined;
      if (kind === 'move') pointer('pointerdown', 0);
      let last = performance.now();
      for (let frame = 0; frame < count; frame++) {
        if (kind === 'move') pointer('pointermove', 40 * Math.sin(frame / 10));
        else {
          const deltaY = frame < count / 2 ? -8 : 8;
          const init = { bubbles: true, cancelable: true, ctrlKey: true, clientX: x, clientY: y, deltaY };
          map.dispatchEvent(new WheelEvent('wheel', init));
        }
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
      }
      if (kind === 'move') pointer('pointerup', 0);
      return times;
    },
    [what, FRAMES] as const,
  );
}

/** From the choice of one of two layers, in turn, until the map is drawn, each time; `layers` as options have them. */
export async function recolourTimes(page: Page, label: string, layers: readonly [string, string]): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    times.push(
      await page.evaluate(
        async ([name, value]) => {
          const select = document.querySelector<HTMLSelectElement>(`select[aria-label="${name}"]`);
          if (!select) throw new Error(`There is no choice "${name}"`);
          const set = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set;
          const start = performance.now();
          set?.call(select, value);
          select.dispatchEvent(new Event('change', { bubbles: true }));
          const layer = value.replace(/^trait /, '');
          while (!document.querySelector(`canvas[data-field-map="${layer}"]`)) await new Promise(requestAnimationFrame);
          return performance.now() - start;
        },
        [label, layers[turn % 2] ?? ''] as const,
      ),
    );
  }
  return times;
}

export const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
