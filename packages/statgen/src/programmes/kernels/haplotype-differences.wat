;; Numbers of loci at which haplotypes differ (WebAssembly), 64 loci at a time: products of codes −1 and 1 follow from them.
;; `node scripts/build-kernels.mjs` makes haplotype-differences.wasm of it, and `npm run check` compares the two.
;; Memory is laid out by difference-counts.ts: haplotypes are rows of `stride` bytes, a multiple of 8; bits behind the last
;; locus are 0.
(module
  (import "differences" "memory" (memory 1))

  ;; Of each of `count` ≥ 1 rows from `other` on the differences to four rows from `four` on: four i32 a row at `out`.
  (func (export "countDifferences") (param $four i32) (param $other i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32) (local $end i32) (local $word i64)
    (local $na i64) (local $nb i64) (local $nc i64) (local $nd i64)
    (loop $row
      (local.set $a (local.get $four))
      (local.set $b (i32.add (local.get $a) (local.get $stride)))
      (local.set $c (i32.add (local.get $b) (local.get $stride)))
      (local.set $d (i32.add (local.get $c) (local.get $stride)))
      (local.set $end (i32.add (local.get $other) (local.get $stride)))
      (local.set $na (i64.const 0))
      (local.set $nb (i64.const 0))
      (local.set $nc (i64.const 0))
      (local.set $nd (i64.const 0))
      (loop $words
        (local.set $word (i64.load (local.get $other)))
        (local.set $na (i64.add (local.get $na) (i64.popcnt (i64.xor (local.get $word) (i64.load (local.get $a))))))
        (local.set $nb (i64.add (local.get $nb) (i64.popcnt (i64.xor (local.get $word) (i64.load (local.get $b))))))
        (local.set $nc (i64.add (local.get $nc) (i64.popcnt (i64.xor (local.get $word) (i64.load (local.get $c))))))
        (local.set $nd (i64.add (local.get $nd) (i64.popcnt (i64.xor (local.get $word) (i64.load (local.get $d))))))
        (local.set $a (i32.add (local.get $a) (i32.const 8)))
        (local.set $b (i32.add (local.get $b) (i32.const 8)))
        (local.set $c (i32.add (local.get $c) (i32.const 8)))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (br_if $words (i32.lt_u (local.tee $other (i32.add (local.get $other) (i32.const 8))) (local.get $end))))
      (i32.store (local.get $out) (i32.wrap_i64 (local.get $na)))
      (i32.store offset=4 (local.get $out) (i32.wrap_i64 (local.get $nb)))
      (i32.store offset=8 (local.get $out) (i32.wrap_i64 (local.get $nc)))
      (i32.store offset=12 (local.get $out) (i32.wrap_i64 (local.get $nd)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
