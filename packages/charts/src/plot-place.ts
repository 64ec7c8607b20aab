/** A place in a plot, in the units of its axes, and how much of them a pixel is. */
export interface PlotPlace {
  x: number;
  y: number;
  xPerPixel: number;
  yPerPixel: number;
  /** How far from a point a click still means it: a finger needs more room than a mouse. */
  reachPx: number;
}
