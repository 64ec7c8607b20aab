;; The two inner loops of reading genotypes, sixteen calls or sixty-four packed calls at a time (WebAssembly SIMD).
;; `node scripts/build-kernels.mjs` makes genotype-kernels.wasm of it, and `npm run check` compares the two.
;; Memory is laid out by the callers, vcf-fast-row.ts and sample-counter.ts.
(module
  (import "genotype" "memory" (memory 1))

  ;; Diploid calls of VCF text to packed calls. At `text` stand `calls` ≥ 1 calls of four bytes, allele, `/` or `|`, allele, tab, the
  ;; last one without its tab; what follows it is read, up to 64 bytes, and makes no difference.
  ;; Alleles are 0, 1 or `.`; a call with a `.` is missing. Writes one word (16 calls of 2 bits, zeros after the last call) a
  ;; group from `out` on, and at `tallies` two words: calls with one allele missing, and heterozygous calls with `|`.
  ;; Returns 1, or 0 when any text is something else: then `out` and `tallies` mean nothing.
  (func (export "parseCalls") (param $text i32) (param $calls i32) (param $out i32) (param $tallies i32) (result i32)
    (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128)
    (local $low v128) (local $first v128) (local $second v128) (local $separator v128)
    (local $firstMissing v128) (local $secondMissing v128) (local $missing v128) (local $isPhased v128)
    (local $het v128) (local $bad v128) (local $code v128) (local $end v128) (local $half i32) (local $phasedHet i32)
    (local.set $low (v128.const i16x8 0xff 0xff 0xff 0xff 0xff 0xff 0xff 0xff))
    (loop $group
        (local.set $v0 (v128.load (local.get $text)))
        (local.set $v1 (v128.load offset=16 (local.get $text)))
        (local.set $v2 (v128.load offset=32 (local.get $text)))
        (local.set $v3 (v128.load offset=48 (local.get $text)))
        (if (i32.le_s (local.get $calls) (i32.const 16)) (then
          ;; The last group: from the end of its text on it is taken as `0/0` and tabs.
          (local.set $end (i8x16.splat (i32.sub (i32.mul (local.get $calls) (i32.const 4)) (i32.const 1))))
          (local.set $v0 (v128.bitselect (local.get $v0) (v128.const i32x4 0x09302f30 0x09302f30 0x09302f30 0x09302f30)
            (i8x16.lt_u (v128.const i8x16 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) (local.get $end))))
          (local.set $v1 (v128.bitselect (local.get $v1) (v128.const i32x4 0x09302f30 0x09302f30 0x09302f30 0x09302f30)
            (i8x16.lt_u (v128.const i8x16 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31) (local.get $end))))
          (local.set $v2 (v128.bitselect (local.get $v2) (v128.const i32x4 0x09302f30 0x09302f30 0x09302f30 0x09302f30)
            (i8x16.lt_u (v128.const i8x16 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47) (local.get $end))))
          (local.set $v3 (v128.bitselect (local.get $v3) (v128.const i32x4 0x09302f30 0x09302f30 0x09302f30 0x09302f30)
            (i8x16.lt_u (v128.const i8x16 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63) (local.get $end))))))

        ;; Bytes 1 and 3 of every call: separators, then tabs.
        (local.set $separator
          (i8x16.narrow_i16x8_u (i16x8.shr_u (local.get $v0) (i32.const 8)) (i16x8.shr_u (local.get $v1) (i32.const 8))))
        (local.set $code
          (i8x16.narrow_i16x8_u (i16x8.shr_u (local.get $v2) (i32.const 8)) (i16x8.shr_u (local.get $v3) (i32.const 8))))
        (local.set $bad (v128.or (local.get $bad) (v128.xor
          (i8x16.narrow_i16x8_u
            (i16x8.shr_u (local.get $separator) (i32.const 8)) (i16x8.shr_u (local.get $code) (i32.const 8)))
          (v128.const i8x16 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9))))
        (local.set $separator (v128.xor
          (i8x16.narrow_i16x8_u
            (v128.and (local.get $separator) (local.get $low)) (v128.and (local.get $code) (local.get $low)))
          (i8x16.splat (i32.const 0x2f))))
        (local.set $isPhased (i8x16.eq (local.get $separator) (i8x16.splat (i32.const 0x53)))) ;; `|` xor `/`
        (local.set $bad (v128.or (local.get $bad) (v128.andnot (local.get $separator) (local.get $isPhased))))

        ;; Bytes 0 and 2: the alleles, exclusive-or `0`.
        (local.set $v0 (i8x16.narrow_i16x8_u
          (v128.and (local.get $v0) (local.get $low)) (v128.and (local.get $v1) (local.get $low))))
        (local.set $v2 (i8x16.narrow_i16x8_u
          (v128.and (local.get $v2) (local.get $low)) (v128.and (local.get $v3) (local.get $low))))
        (local.set $first (v128.xor (i8x16.splat (i32.const 0x30)) (i8x16.narrow_i16x8_u
          (v128.and (local.get $v0) (local.get $low)) (v128.and (local.get $v2) (local.get $low)))))
        (local.set $second (v128.xor (i8x16.splat (i32.const 0x30)) (i8x16.narrow_i16x8_u
          (i16x8.shr_u (local.get $v0) (i32.const 8)) (i16x8.shr_u (local.get $v2) (i32.const 8)))))
        (local.set $firstMissing (i8x16.eq (local.get $first) (i8x16.splat (i32.const 0x1e)))) ;; `.` xor `0`
        (local.set $secondMissing (i8x16.eq (local.get $second) (i8x16.splat (i32.const 0x1e))))
        (local.set $first (v128.andnot (local.get $first) (local.get $firstMissing)))
        (local.set $second (v128.andnot (local.get $second) (local.get $secondMissing)))
        (local.set $bad (v128.or (local.get $bad)
          (v128.and (v128.or (local.get $first) (local.get $second)) (i8x16.splat (i32.const 0xfe)))))

        (local.set $missing (v128.or (local.get $firstMissing) (local.get $secondMissing)))
        (local.set $half (i32.add (local.get $half)
          (i32.popcnt (i8x16.bitmask (v128.xor (local.get $firstMissing) (local.get $secondMissing))))))
        (local.set $first (v128.andnot (local.get $first) (local.get $missing)))
        (local.set $second (v128.andnot (local.get $second) (local.get $missing)))
        (local.set $het (v128.xor (local.get $first) (local.get $second)))
        (local.set $phasedHet (i32.add (local.get $phasedHet)
          (i32.popcnt (i8x16.bitmask (v128.and (i8x16.shl (local.get $het) (i32.const 7)) (local.get $isPhased))))))

        ;; Codes 0, 1 (missing), 2 (heterozygous), 3; then four to a byte.
        (local.set $code (v128.or
          (v128.or
            (i8x16.shl (v128.or (local.get $first) (local.get $second)) (i32.const 1))
            (v128.and (local.get $first) (local.get $second)))
          (v128.and (local.get $missing) (i8x16.splat (i32.const 1)))))
        (local.set $code (v128.and (local.get $low)
          (v128.or (local.get $code) (i16x8.shr_u (local.get $code) (i32.const 6)))))
        (local.set $code (v128.or (local.get $code) (i32x4.shr_u (local.get $code) (i32.const 12))))
        (i32.store (local.get $out) (i32x4.extract_lane 0
          (i8x16.shuffle 0 4 8 12 0 4 8 12 0 4 8 12 0 4 8 12 (local.get $code) (local.get $code))))

        (local.set $text (i32.add (local.get $text) (i32.const 64)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $calls (i32.sub (local.get $calls) (i32.const 16)))
        (br_if $group (i32.gt_s (local.get $calls) (i32.const 0))))
    (i32.store (local.get $tallies) (local.get $half))
    (i32.store offset=4 (local.get $tallies) (local.get $phasedHet))
    (i32.eqz (v128.any_true (local.get $bad))))

  ;; Counts the calls of one marker: `vectors` × 64 packed calls from `row` on. Writes at `tallies` its missing, heterozygous and
  ;; homozygous A2 calls, and adds a missing and a heterozygous call to the two-bit lane of its sample from `missing` and `het` on.
  (func (export "countRow")
    (param $row i32) (param $vectors i32) (param $missing i32) (param $het i32) (param $tallies i32)
    (local $calls v128) (local $high v128) (local $mask v128) (local $some v128)
    (local $missingSum v128) (local $hetSum v128) (local $homSum v128)
    (local.set $mask (i8x16.splat (i32.const 0x55)))
    (block $done
      (loop $vector
        (br_if $done (i32.eqz (local.get $vectors)))
        (local.set $calls (v128.load (local.get $row)))
        (local.set $high (v128.and (i32x4.shr_u (local.get $calls) (i32.const 1)) (local.get $mask)))
        (local.set $calls (v128.and (local.get $calls) (local.get $mask)))

        (local.set $homSum (i32x4.add (local.get $homSum) (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.and (local.get $calls) (local.get $high)))))))
        (local.set $some (v128.andnot (local.get $calls) (local.get $high)))
        (local.set $missingSum (i32x4.add (local.get $missingSum)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $some))))))
        (v128.store (local.get $missing) (i32x4.add (v128.load (local.get $missing)) (local.get $some)))
        (local.set $some (v128.andnot (local.get $high) (local.get $calls)))
        (local.set $hetSum (i32x4.add (local.get $hetSum)
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $some))))))
        (v128.store (local.get $het) (i32x4.add (v128.load (local.get $het)) (local.get $some)))

        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.set $missing (i32.add (local.get $missing) (i32.const 16)))
        (local.set $het (i32.add (local.get $het) (i32.const 16)))
        (local.set $vectors (i32.sub (local.get $vectors) (i32.const 1)))
        (br $vector)))
    (i32.store (local.get $tallies) (call $sum (local.get $missingSum)))
    (i32.store offset=4 (local.get $tallies) (call $sum (local.get $hetSum)))
    (i32.store offset=8 (local.get $tallies) (call $sum (local.get $homSum))))

  ;; Adds lanes of `width` bits (2 or 4) to lanes of twice the width, and sets them to zero. A vector at `lanes` becomes two
  ;; at `wider`: one for the lanes at even places, one for those at odd places.
  (func (export "widenLanes") (param $lanes i32) (param $vectors i32) (param $wider i32) (param $width i32)
    (local $counts v128) (local $mask v128)
    (local.set $mask (i8x16.splat
      (select (i32.const 0x33) (i32.const 0x0f) (i32.eq (local.get $width) (i32.const 2)))))
    (block $done
      (loop $vector
        (br_if $done (i32.eqz (local.get $vectors)))
        (local.set $counts (v128.load (local.get $lanes)))
        (v128.store (local.get $wider)
          (i8x16.add (v128.load (local.get $wider)) (v128.and (local.get $counts) (local.get $mask))))
        (v128.store offset=16 (local.get $wider)
          (i8x16.add (v128.load offset=16 (local.get $wider))
            (v128.and (i8x16.shr_u (local.get $counts) (local.get $width)) (local.get $mask))))
        (v128.store (local.get $lanes) (v128.const i64x2 0 0))
        (local.set $lanes (i32.add (local.get $lanes) (i32.const 16)))
        (local.set $wider (i32.add (local.get $wider) (i32.const 32)))
        (local.set $vectors (i32.sub (local.get $vectors) (i32.const 1)))
        (br $vector))))

  (func $sum (param $lanes v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes)))))
)
