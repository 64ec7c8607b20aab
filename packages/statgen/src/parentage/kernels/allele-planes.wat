;; Counts that compare two or three individuals at all markers (WebAssembly SIMD), 128 markers at a time.
;; `node scripts/build-kernels.mjs` makes allele-planes.wasm of it, and `npm run check` compares the two.
;; Memory is laid out by allele-planes.ts: an individual has two bit planes of `stride` bytes, one after the other. A bit of the
;; first says that the call has a copy of A1, one of the second a copy of A2; a missing call has neither.
(module
  (import "planes" "memory" (memory 1))

  ;; Compares the individual at `one` with `count` ≥ 1 individuals that follow each other from `other` on, `stride` bytes ≥ 16 a plane.
  ;; Writes three i32 a pair at `out`: markers called in both, of these with a common allele, and with the same call.
  (func (export "comparePairs") (param $one i32) (param $other i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $at i32) (local $end i32) (local $stop i32) (local $b i32)
    (local $x1 v128) (local $y1 v128) (local $x2 v128) (local $y2 v128) (local $called v128)
    (local $calledSum v128) (local $sharedSum v128) (local $equalSum v128)
    (local $calledTotal v128) (local $sharedTotal v128) (local $equalTotal v128)
    (local.set $end (i32.add (local.get $one) (local.get $stride)))
    (loop $pair
      (local.set $at (local.get $one))
      (local.set $b (local.get $other))
      (local.set $calledTotal (v128.const i32x4 0 0 0 0))
      (local.set $sharedTotal (v128.const i32x4 0 0 0 0))
      (local.set $equalTotal (v128.const i32x4 0 0 0 0))
      (loop $part
        ;; 2,048 vectors add at most 2,048 × 16 to a lane of 16 bits.
        (local.set $stop (i32.add (local.get $at) (i32.const 32768)))
        (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
        (local.set $calledSum (v128.const i32x4 0 0 0 0))
        (local.set $sharedSum (v128.const i32x4 0 0 0 0))
        (local.set $equalSum (v128.const i32x4 0 0 0 0))
        (loop $vector
          (local.set $x1 (v128.load (local.get $at)))
          (local.set $y1 (v128.load (i32.add (local.get $at) (local.get $stride))))
          (local.set $x2 (v128.load (local.get $b)))
          (local.set $y2 (v128.load (i32.add (local.get $b) (local.get $stride))))
          (local.set $called (v128.and
            (v128.or (local.get $x1) (local.get $y1)) (v128.or (local.get $x2) (local.get $y2))))
          (local.set $calledSum (i16x8.add (local.get $calledSum)
            (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $called)))))
          (local.set $sharedSum (i16x8.add (local.get $sharedSum)
            (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (v128.or
              (v128.and (local.get $x1) (local.get $x2)) (v128.and (local.get $y1) (local.get $y2)))))))
          (local.set $equalSum (i16x8.add (local.get $equalSum)
            (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (v128.andnot (local.get $called) (v128.or
              (v128.xor (local.get $x1) (local.get $x2)) (v128.xor (local.get $y1) (local.get $y2))))))))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (br_if $vector (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stop))))
        (local.set $calledTotal (i32x4.add (local.get $calledTotal) (i32x4.extadd_pairwise_i16x8_u (local.get $calledSum))))
        (local.set $sharedTotal (i32x4.add (local.get $sharedTotal) (i32x4.extadd_pairwise_i16x8_u (local.get $sharedSum))))
        (local.set $equalTotal (i32x4.add (local.get $equalTotal) (i32x4.extadd_pairwise_i16x8_u (local.get $equalSum))))
        (br_if $part (i32.lt_u (local.get $at) (local.get $end))))
      (i32.store (local.get $out) (call $sumOfLanes (local.get $calledTotal)))
      (i32.store offset=4 (local.get $out) (call $sumOfLanes (local.get $sharedTotal)))
      (i32.store offset=8 (local.get $out) (call $sumOfLanes (local.get $equalTotal)))
      (local.set $out (i32.add (local.get $out) (i32.const 12)))
      (local.set $other (i32.add (local.get $other) (i32.shl (local.get $stride) (i32.const 1))))
      (br_if $pair (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Compares the individual at `child` with two parents at the first `bytes` ≥ 16 bytes of the planes. Writes four i32 at `out`:
  ;; markers called in all three; of these, those at which no cross of the two gives the child; markers called in all three at which
  ;; both parents have the same allele twice; and of these, those at which the child has the other allele.
  (func (export "compareTrio")
    (param $child i32) (param $female i32) (param $male i32) (param $bytes i32) (param $stride i32) (param $out i32)
    (local $end i32) (local $stop i32)
    (local $x v128) (local $y v128) (local $xf v128) (local $yf v128) (local $xm v128) (local $ym v128) (local $called v128)
    (local $onlyA1 v128) (local $onlyA2 v128)
    (local $calledSum v128) (local $crossSum v128) (local $fixedSum v128) (local $lineSum v128)
    (local $calledTotal v128) (local $crossTotal v128) (local $fixedTotal v128) (local $lineTotal v128)
    (local.set $end (i32.add (local.get $child) (local.get $bytes)))
    (loop $part
      (local.set $stop (i32.add (local.get $child) (i32.const 32768)))
      (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
      (local.set $calledSum (v128.const i32x4 0 0 0 0))
      (local.set $crossSum (v128.const i32x4 0 0 0 0))
      (local.set $fixedSum (v128.const i32x4 0 0 0 0))
      (local.set $lineSum (v128.const i32x4 0 0 0 0))
      (loop $vector
        (local.set $x (v128.load (local.get $child)))
        (local.set $y (v128.load (i32.add (local.get $child) (local.get $stride))))
        (local.set $xf (v128.load (local.get $female)))
        (local.set $yf (v128.load (i32.add (local.get $female) (local.get $stride))))
        (local.set $xm (v128.load (local.get $male)))
        (local.set $ym (v128.load (i32.add (local.get $male) (local.get $stride))))
        (local.set $called (v128.and (v128.or (local.get $x) (local.get $y))
          (v128.and (v128.or (local.get $xf) (local.get $yf)) (v128.or (local.get $xm) (local.get $ym)))))
        (local.set $calledSum (i16x8.add (local.get $calledSum)
          (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $called)))))
        ;; A child with A1 twice needs it from both, one with A2 twice likewise, a heterozygote one from each.
        (local.set $crossSum (i16x8.add (local.get $crossSum)
          (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (v128.andnot (local.get $called)
            (v128.bitselect
              (v128.bitselect
                (v128.or (v128.and (local.get $xf) (local.get $ym)) (v128.and (local.get $yf) (local.get $xm)))
                (v128.and (local.get $xf) (local.get $xm))
                (local.get $y))
              (v128.and (local.get $yf) (local.get $ym))
              (local.get $x)))))))
        (local.set $onlyA1 (v128.andnot (local.get $called) (v128.or (local.get $yf) (local.get $ym))))
        (local.set $onlyA2 (v128.andnot (local.get $called) (v128.or (local.get $xf) (local.get $xm))))
        (local.set $fixedSum (i16x8.add (local.get $fixedSum)
          (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (v128.or (local.get $onlyA1) (local.get $onlyA2))))))
        (local.set $lineSum (i16x8.add (local.get $lineSum)
          (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (v128.or
            (v128.and (local.get $onlyA1) (local.get $y)) (v128.and (local.get $onlyA2) (local.get $x)))))))
        (local.set $female (i32.add (local.get $female) (i32.const 16)))
        (local.set $male (i32.add (local.get $male) (i32.const 16)))
        (br_if $vector (i32.lt_u (local.tee $child (i32.add (local.get $child) (i32.const 16))) (local.get $stop))))
      (local.set $calledTotal (i32x4.add (local.get $calledTotal) (i32x4.extadd_pairwise_i16x8_u (local.get $calledSum))))
      (local.set $crossTotal (i32x4.add (local.get $crossTotal) (i32x4.extadd_pairwise_i16x8_u (local.get $crossSum))))
      (local.set $fixedTotal (i32x4.add (local.get $fixedTotal) (i32x4.extadd_pairwise_i16x8_u (local.get $fixedSum))))
      (local.set $lineTotal (i32x4.add (local.get $lineTotal) (i32x4.extadd_pairwise_i16x8_u (local.get $lineSum))))
      (br_if $part (i32.lt_u (local.get $child) (local.get $end))))
    (i32.store (local.get $out) (call $sumOfLanes (local.get $calledTotal)))
    (i32.store offset=4 (local.get $out) (call $sumOfLanes (local.get $crossTotal)))
    (i32.store offset=8 (local.get $out) (call $sumOfLanes (local.get $fixedTotal)))
    (i32.store offset=12 (local.get $out) (call $sumOfLanes (local.get $lineTotal))))

  (func $sumOfLanes (param $lanes v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes))))))
