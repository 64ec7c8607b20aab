;; Sums of effects of haplotypes (WebAssembly), looked up by bytes of eight alleles, four haplotypes at a time: sums of one
;; wait for each other, those of four do not. `node scripts/build-kernels.mjs` makes haplotype-values.wasm of it, and
;; `npm run check` compares the two. Memory is laid out by value-table.ts; all places are byte addresses.
(module
  (import "values" "memory" (memory 1))

  ;; Adds to `count` values, a multiple of four, from `values` on, what the bytes of their rows of `stride` bytes say:
  ;; places in a row from `bytes` to `end` (i32), and 256 sums (f64) for each of them from `sums` on.
  (func (export "addValues") (param $row i32) (param $count i32) (param $stride i32) (param $values i32) (param $bytes i32) (param $end i32) (param $sums i32)
    (local $a f64) (local $b f64) (local $c f64) (local $d f64) (local $byte i32) (local $place i32) (local $table i32)
    (loop $rows
      (local.set $a (f64.load (local.get $values)))
      (local.set $b (f64.load offset=8 (local.get $values)))
      (local.set $c (f64.load offset=16 (local.get $values)))
      (local.set $d (f64.load offset=24 (local.get $values)))
      (local.set $byte (local.get $bytes))
      (local.set $table (local.get $sums))
      (loop $places
        (local.set $place (i32.add (local.get $row) (i32.load (local.get $byte))))
        (local.set $a (f64.add (local.get $a) (f64.load (i32.add (local.get $table) (i32.shl (i32.load8_u (local.get $place)) (i32.const 3))))))
        (local.set $place (i32.add (local.get $place) (local.get $stride)))
        (local.set $b (f64.add (local.get $b) (f64.load (i32.add (local.get $table) (i32.shl (i32.load8_u (local.get $place)) (i32.const 3))))))
        (local.set $place (i32.add (local.get $place) (local.get $stride)))
        (local.set $c (f64.add (local.get $c) (f64.load (i32.add (local.get $table) (i32.shl (i32.load8_u (local.get $place)) (i32.const 3))))))
        (local.set $place (i32.add (local.get $place) (local.get $stride)))
        (local.set $d (f64.add (local.get $d) (f64.load (i32.add (local.get $table) (i32.shl (i32.load8_u (local.get $place)) (i32.const 3))))))
        (local.set $table (i32.add (local.get $table) (i32.const 2048)))
        (br_if $places (i32.lt_u (local.tee $byte (i32.add (local.get $byte) (i32.const 4))) (local.get $end))))
      (f64.store (local.get $values) (local.get $a))
      (f64.store offset=8 (local.get $values) (local.get $b))
      (f64.store offset=16 (local.get $values) (local.get $c))
      (f64.store offset=24 (local.get $values) (local.get $d))
      (local.set $values (i32.add (local.get $values) (i32.const 32)))
      (local.set $row (i32.add (local.get $row) (i32.shl (local.get $stride) (i32.const 2))))
      (br_if $rows (i32.gt_s (local.tee $count (i32.sub (local.get $count) (i32.const 4))) (i32.const 0))))))
