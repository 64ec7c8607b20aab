;; The inner loop of a kinship in single precision (WebAssembly SIMD): product and sum are rounded one by one, as no
;; BLAS does. `node scripts/build-kernels.mjs` makes single-precision.wasm of it, and `npm run check` compares the two.
;; Memory is laid out by the caller, single-precision-kinship.ts.
(module
  (import "kinship" "memory" (memory 1))

  ;; Adds to the 4 × 8 sums of four individuals with eight the products of their values, marker after marker.
  ;; `own` and `others` hold eight values a marker, of which the first four and all eight are taken; `sums` holds eight a row.
  ;; `markers` is 1 or more.
  (func (export "addProducts") (param $own i32) (param $others i32) (param $markers i32) (param $sums i32)
    (local $low0 v128) (local $low1 v128) (local $low2 v128) (local $low3 v128)
    (local $high0 v128) (local $high1 v128) (local $high2 v128) (local $high3 v128)
    (local $value v128) (local $others0 v128) (local $others1 v128)
    (local.set $low0 (v128.load (local.get $sums)))
    (local.set $high0 (v128.load offset=16 (local.get $sums)))
    (local.set $low1 (v128.load offset=32 (local.get $sums)))
    (local.set $high1 (v128.load offset=48 (local.get $sums)))
    (local.set $low2 (v128.load offset=64 (local.get $sums)))
    (local.set $high2 (v128.load offset=80 (local.get $sums)))
    (local.set $low3 (v128.load offset=96 (local.get $sums)))
    (local.set $high3 (v128.load offset=112 (local.get $sums)))
    (loop $marker
      (local.set $others0 (v128.load (local.get $others)))
      (local.set $others1 (v128.load offset=16 (local.get $others)))
      (local.set $value (v128.load32_splat (local.get $own)))
      (local.set $low0 (f32x4.add (local.get $low0) (f32x4.mul (local.get $value) (local.get $others0))))
      (local.set $high0 (f32x4.add (local.get $high0) (f32x4.mul (local.get $value) (local.get $others1))))
      (local.set $value (v128.load32_splat offset=4 (local.get $own)))
      (local.set $low1 (f32x4.add (local.get $low1) (f32x4.mul (local.get $value) (local.get $others0))))
      (local.set $high1 (f32x4.add (local.get $high1) (f32x4.mul (local.get $value) (local.get $others1))))
      (local.set $value (v128.load32_splat offset=8 (local.get $own)))
      (local.set $low2 (f32x4.add (local.get $low2) (f32x4.mul (local.get $value) (local.get $others0))))
      (local.set $high2 (f32x4.add (local.get $high2) (f32x4.mul (local.get $value) (local.get $others1))))
      (local.set $value (v128.load32_splat offset=12 (local.get $own)))
      (local.set $low3 (f32x4.add (local.get $low3) (f32x4.mul (local.get $value) (local.get $others0))))
      (local.set $high3 (f32x4.add (local.get $high3) (f32x4.mul (local.get $value) (local.get $others1))))
      (local.set $own (i32.add (local.get $own) (i32.const 32)))
      (local.set $others (i32.add (local.get $others) (i32.const 32)))
      (br_if $marker (local.tee $markers (i32.sub (local.get $markers) (i32.const 1)))))
    (v128.store (local.get $sums) (local.get $low0))
    (v128.store offset=16 (local.get $sums) (local.get $high0))
    (v128.store offset=32 (local.get $sums) (local.get $low1))
    (v128.store offset=48 (local.get $sums) (local.get $high1))
    (v128.store offset=64 (local.get $sums) (local.get $low2))
    (v128.store offset=80 (local.get $sums) (local.get $high2))
    (v128.store offset=96 (local.get $sums) (local.get $low3))
    (v128.store offset=112 (local.get $sums) (local.get $high3))))
