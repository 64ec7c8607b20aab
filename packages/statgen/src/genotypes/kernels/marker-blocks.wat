;; The inner loops around the matrix products of a block of markers (WebAssembly SIMD): counting and decoding packed calls, and
;; squaring rotated ones. `node scripts/build-kernels.mjs` makes marker-blocks.wasm of it, and `npm run check` compares the two.
;; Memory is laid out by the callers, call-block.ts and squarable-block.ts.
(module
  (import "markers" "memory" (memory 1))

  ;; Counts the calls of `markers` ≥ 1 markers of `stride` ≥ 1 bytes from `packed` on, sixteen bytes (64 calls) at a time; up to 15
  ;; bytes after the last one are read. `mask` are 16 bytes: ones for the calls in the last vector of a marker.
  ;; Writes an i32 a marker at each of `heterozygous`, `homozygousA2` and `missing`.
  (func (export "countCalls") (param $packed i32) (param $stride i32) (param $markers i32) (param $mask i32)
    (param $heterozygous i32) (param $homozygousA2 i32) (param $missing i32)
    (local $at i32) (local $left i32) (local $calls v128) (local $low v128) (local $high v128)
    (local $lowSum v128) (local $highSum v128) (local $bothSum v128) (local $both i32)
    (loop $marker
      (local.set $at (local.get $packed))
      (local.set $left (i32.shr_u (i32.sub (local.get $stride) (i32.const 1)) (i32.const 4)))
      (local.set $lowSum (v128.const i32x4 0 0 0 0))
      (local.set $highSum (v128.const i32x4 0 0 0 0))
      (local.set $bothSum (v128.const i32x4 0 0 0 0))
      (loop $vector
        (local.set $calls (v128.load (local.get $at)))
        (if (i32.eqz (local.get $left)) (then
          (local.set $calls (v128.and (local.get $calls) (v128.load (local.get $mask))))))
        (local.set $low (v128.and (local.get $calls) (i8x16.splat (i32.const 0x55))))
        (local.set $high (v128.and (i16x8.shr_u (local.get $calls) (i32.const 1)) (i8x16.splat (i32.const 0x55))))
        (local.set $lowSum (i32x4.add (local.get $lowSum)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $low))))))
        (local.set $highSum (i32x4.add (local.get $highSum)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $high))))))
        (local.set $bothSum (i32x4.add (local.get $bothSum)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u
            (i8x16.popcnt (v128.and (local.get $low) (local.get $high)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br_if $vector (i32.ge_s (local.get $left) (i32.const 0))))
      ;; 11 is two copies of A2, 01 missing, 10 heterozygous.
      (local.set $both (call $sumOfLanes (local.get $bothSum)))
      (i32.store (local.get $homozygousA2) (local.get $both))
      (i32.store (local.get $missing) (i32.sub (call $sumOfLanes (local.get $lowSum)) (local.get $both)))
      (i32.store (local.get $heterozygous) (i32.sub (call $sumOfLanes (local.get $highSum)) (local.get $both)))
      (local.set $heterozygous (i32.add (local.get $heterozygous) (i32.const 4)))
      (local.set $homozygousA2 (i32.add (local.get $homozygousA2) (i32.const 4)))
      (local.set $missing (i32.add (local.get $missing) (i32.const 4)))
      (local.set $packed (i32.add (local.get $packed) (local.get $stride)))
      (br_if $marker (local.tee $markers (i32.sub (local.get $markers) (i32.const 1))))))

  (func $sumOfLanes (param $lanes v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes)))))

  ;; Decodes `count` ≥ 1 markers, whose places in the block (i32) stand at `markers`, to columns of `n` doubles from `out` on.
  ;; `values` holds the numbers of the four codes, four doubles a marker of the block. Two calls at a time, through a table of their
  ;; sixteen pairs that takes the first 256 bytes of the memory. Up to 3 bytes after the packed calls are read; up to 15 doubles after
  ;; a column are written, which the next column overwrites.
  (func (export "decodeMarkers") (param $packed i32) (param $stride i32) (param $values i32)
    (param $markers i32) (param $count i32) (param $n i32) (param $out i32)
    (local $at i32) (local $end i32) (local $to i32) (local $numbers i32) (local $pair i32) (local $word i32)
    (loop $marker
      (local.set $numbers (i32.add (local.get $values) (i32.shl (i32.load (local.get $markers)) (i32.const 5))))
      (local.set $pair (i32.const 0))
      (loop $entry
        (v128.store (i32.shl (local.get $pair) (i32.const 4))
          (f64x2.replace_lane 1
            (v128.load64_splat (i32.add (local.get $numbers) (i32.shl (i32.and (local.get $pair) (i32.const 3)) (i32.const 3))))
            (f64.load (i32.add (local.get $numbers) (i32.shl (i32.shr_u (local.get $pair) (i32.const 2)) (i32.const 3))))))
        (br_if $entry (i32.lt_u (local.tee $pair (i32.add (local.get $pair) (i32.const 1))) (i32.const 16))))

      (local.set $at (i32.add (local.get $packed) (i32.mul (i32.load (local.get $markers)) (local.get $stride))))
      (local.set $end (i32.add (local.get $at) (local.get $stride)))
      (local.set $to (local.get $out))
      (loop $calls
        (local.set $word (i32.load (local.get $at)))
        (v128.store (local.get $to) (v128.load (i32.shl (i32.and (local.get $word) (i32.const 0x0f)) (i32.const 4))))
        (v128.store offset=16 (local.get $to) (v128.load (i32.and (local.get $word) (i32.const 0xf0))))
        (v128.store offset=32 (local.get $to)
          (v128.load (i32.and (i32.shr_u (local.get $word) (i32.const 4)) (i32.const 0xf0))))
        (v128.store offset=48 (local.get $to)
          (v128.load (i32.and (i32.shr_u (local.get $word) (i32.const 8)) (i32.const 0xf0))))
        (v128.store offset=64 (local.get $to)
          (v128.load (i32.and (i32.shr_u (local.get $word) (i32.const 12)) (i32.const 0xf0))))
        (v128.store offset=80 (local.get $to)
          (v128.load (i32.and (i32.shr_u (local.get $word) (i32.const 16)) (i32.const 0xf0))))
        (v128.store offset=96 (local.get $to)
          (v128.load (i32.and (i32.shr_u (local.get $word) (i32.const 20)) (i32.const 0xf0))))
        (v128.store offset=112 (local.get $to)
          (v128.load (i32.and (i32.shr_u (local.get $word) (i32.const 24)) (i32.const 0xf0))))
        (local.set $to (i32.add (local.get $to) (i32.const 128)))
        (br_if $calls (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (local.get $end))))

      (local.set $out (i32.add (local.get $out) (i32.shl (local.get $n) (i32.const 3))))
      (local.set $markers (i32.add (local.get $markers) (i32.const 4)))
      (br_if $marker (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Squares the first `rows` ≥ 1 of `lead` doubles in each of `columns` ≥ 1 columns from `values` on, in place.
  (func (export "squareRows") (param $values i32) (param $rows i32) (param $lead i32) (param $columns i32)
    (local $at i32) (local $end i32) (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128) (local $one f64)
    (loop $column
      (local.set $at (local.get $values))
      (local.set $end (i32.add (local.get $at) (i32.shl (i32.and (local.get $rows) (i32.const -8)) (i32.const 3))))
      (block $rest
        (br_if $rest (i32.eq (local.get $at) (local.get $end)))
        (loop $eight
          (local.set $v0 (v128.load (local.get $at)))
          (local.set $v1 (v128.load offset=16 (local.get $at)))
          (local.set $v2 (v128.load offset=32 (local.get $at)))
          (local.set $v3 (v128.load offset=48 (local.get $at)))
          (v128.store (local.get $at) (f64x2.mul (local.get $v0) (local.get $v0)))
          (v128.store offset=16 (local.get $at) (f64x2.mul (local.get $v1) (local.get $v1)))
          (v128.store offset=32 (local.get $at) (f64x2.mul (local.get $v2) (local.get $v2)))
          (v128.store offset=48 (local.get $at) (f64x2.mul (local.get $v3) (local.get $v3)))
          (br_if $eight (i32.ne (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end)))))
      (local.set $end (i32.add (local.get $values) (i32.shl (local.get $rows) (i32.const 3))))
      (block $done
        (loop $single
          (br_if $done (i32.eq (local.get $at) (local.get $end)))
          (local.set $one (f64.load (local.get $at)))
          (f64.store (local.get $at) (f64.mul (local.get $one) (local.get $one)))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $single)))
      (local.set $values (i32.add (local.get $values) (i32.shl (local.get $lead) (i32.const 3))))
      (br_if $column (local.tee $columns (i32.sub (local.get $columns) (i32.const 1)))))))
