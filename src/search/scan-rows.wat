;; First pass of a vector search: estimates of the dot products of one query with quantized rows, up to the next group
;; with a row that may reach a threshold. Rows are stored in groups of four, so that memory is read sequentially:
;;
;;   16 numbers of the first row, 16 of the second, of the third, of the fourth, then the next 16 of the first, …;
;;   four f32: the scale of each row (the value of one step); four f32: the residual norm of each row.
;;
;; Of each two numbers of a row, the first is stored as an unsigned byte with 128 added, the second as a signed byte.
;; Read as one word of 16 bits, the two are
;;
;;   word = first + 256 × second,   and   word >> 8 = second,
;;
;; so that no byte has to be widened before it is multiplied:
;;
;;   first × a + second × b  =  word × a + (word >> 8) × (b − 256 × a)
;;
;; The query is stored in that form: for each 16 numbers, eight words a, then eight words b − 256 × a. Its numbers are
;; from −127 to 127, so that these fit. Intermediate sums may wrap: the result is correct as long as it fits in 32 bits.
(module
  (memory (import "rows" "memory") 1)

  ;; Returns the address of the first group with a row that can reach the threshold, or $end if there is none. Writes
  ;; its four estimates to address 0, and the margin of error of each to address 16.
  (func (export "scan")
    (param $group i32)
    (param $end i32)
    (param $query i32)
    (param $queryEnd i32)
    (param $offset i32)     ;; amount by which all sums are too large because of the added 128s
    (param $step f32)       ;; scale of the query
    (param $rowMargin f32)  ;; margin of error per unit of a row's residual norm …
    (param $margin f32)     ;; … plus the margin for the query's residual norm
    (param $threshold f32)
    (result i32)
    (local $from i32) (local $at i32)
    (local $a v128) (local $b v128) (local $word v128)
    (local $row0 v128) (local $row1 v128) (local $row2 v128) (local $row3 v128)
    (local $estimates v128) (local $margins v128)

    (loop $groups
      (if (i32.ge_u (local.get $group) (local.get $end)) (then (return (local.get $end))))
      (local.set $from (local.get $group))
      (local.set $row0 (v128.const i32x4 0 0 0 0))
      (local.set $row1 (v128.const i32x4 0 0 0 0))
      (local.set $row2 (v128.const i32x4 0 0 0 0))
      (local.set $row3 (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))

      (loop $numbers
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))

        (local.set $word (v128.load (local.get $group)))
        (local.set $row0 (i32x4.add (local.get $row0) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $word) (local.get $a))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $word) (i32.const 8)) (local.get $b)))))

        (local.set $word (v128.load offset=16 (local.get $group)))
        (local.set $row1 (i32x4.add (local.get $row1) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $word) (local.get $a))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $word) (i32.const 8)) (local.get $b)))))

        (local.set $word (v128.load offset=32 (local.get $group)))
        (local.set $row2 (i32x4.add (local.get $row2) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $word) (local.get $a))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $word) (i32.const 8)) (local.get $b)))))

        (local.set $word (v128.load offset=48 (local.get $group)))
        (local.set $row3 (i32x4.add (local.get $row3) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $word) (local.get $a))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $word) (i32.const 8)) (local.get $b)))))

        (local.set $group (i32.add (local.get $group) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $numbers (i32.lt_u (local.get $at) (local.get $queryEnd))))

      ;; Each row has four partial sums: the upper two are added to the lower two, then those to each other.
      (local.set $row0 (i32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $row0) (local.get $row1))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $row0) (local.get $row1))))
      (local.set $row2 (i32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $row2) (local.get $row3))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $row2) (local.get $row3))))
      (local.set $row0 (i32x4.add
        (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $row0) (local.get $row2))
        (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $row0) (local.get $row2))))

      (local.set $estimates (f32x4.mul
        (f32x4.mul
          (f32x4.convert_i32x4_s (i32x4.sub (local.get $row0) (i32x4.splat (local.get $offset))))
          (v128.load (local.get $group)))
        (f32x4.splat (local.get $step))))
      (local.set $margins (f32x4.add
        (f32x4.mul (v128.load offset=16 (local.get $group)) (f32x4.splat (local.get $rowMargin)))
        (f32x4.splat (local.get $margin))))

      (local.set $group (i32.add (local.get $group) (i32.const 32)))
      (br_if $groups (i32.eqz (v128.any_true (f32x4.ge
        (f32x4.add (local.get $estimates) (local.get $margins))
        (f32x4.splat (local.get $threshold)))))))

    (v128.store (i32.const 0) (local.get $estimates))
    (v128.store (i32.const 16) (local.get $margins))
    (local.get $from)))
